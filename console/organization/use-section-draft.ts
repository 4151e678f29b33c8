import type { Organization } from '../api.ts';
import { readDraft, useDraft } from '../parts/draft/draft.ts';
import { useSession } from '../session/session.tsx';
import type { SettingName } from './fields.ts';

interface SectionDraft {
  typed: Partial<Record<SettingName, string>>;
  /** The settings as they were when the person began to type: a later change by others is then a conflict. */
  seen: Organization;
}

/** The changes of a section that are not saved yet. They survive a reload. */
export function useSectionDraft(id: string, organization: Organization) {
  const { userId } = useSession();
  const subject = `organization:${id}`;
  const [text, write, clear] = useDraft(subject);
  const { typed, seen } = (
    text === '' ? { typed: {}, seen: organization } : JSON.parse(text)
  ) as SectionDraft;

  return {
    typed,
    seen,
    isTyped: text !== '',
    type: (name: SettingName, value: string): void =>
      write(JSON.stringify({ typed: { ...typed, [name]: value }, seen } satisfies SectionDraft)),
    dropSent: (stored: Organization): void =>
      write(dropSent(readDraft(userId, subject), typed, stored)),
    clear,
  };
}

/**
 * Drops the changes that were sent from the text of a draft. Changes that the person has typed during the save stay, as changes of the
 * settings that are `stored` now.
 */
function dropSent(text: string, sent: SectionDraft['typed'], stored: Organization): string {
  const { typed = {} } = text === '' ? {} : (JSON.parse(text) as SectionDraft);
  const left = Object.entries(typed).filter(([name, value]) => value !== sent[name as SettingName]);
  const draft = { typed: Object.fromEntries(left), seen: stored } satisfies SectionDraft;
  return left.length === 0 ? '' : JSON.stringify(draft);
}
