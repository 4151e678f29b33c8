import type { Contact } from './schemas.ts';
import type { Label } from './tags.ts';

/** What a plan writes. */
export interface Changes {
  inserted: (Contact & { emailKey: string })[];
  updated: (Contact & { emailKey: string })[];
  tagged: { id: string; contactId: string; tag: Label }[];
  noted: { id: string; contactId: string; type: 'note'; body: string; occurredAt: string }[];
  linked: { id: string; contactId: string; projectId: string; unitId: string | null }[];
}
