import { readFileSync } from 'node:fs';
import type { Author } from '../../../events/index.ts';
import { dismissRecord, importReceived, retryRecord } from '../../../imports/index.ts';
import { ROOT } from '../../../platform/config/index.ts';
import type { Pool } from '../../../platform/database/index.ts';
import { DAY_MS } from '../../../platform/text/index.ts';
import { makeAuthor } from './origins.ts';
import { createRandom } from './random.ts';

interface DemoLead {
  daysAgo: number;
  lead: { email?: string | null };
  /** The corrected email with which the settler imports the refused lead again. */
  fix?: string;
  /** The reason with which the settler dismisses the refused lead. */
  dismiss?: string;
}

/** The context of the demo's lead imports. */
interface LeadImport {
  /** The id of the website's key. */
  keyId: string;
  /** The person who settles the refused leads. */
  settler: { id: string; name: string } | undefined;
  now: Date;
  refusedBytesMax: number;
}

/** Imports the leads that the demo's website sent. Most are refused, and some of those are settled. */
export async function importDemoLeads(
  db: Pool,
  accountId: string,
  { keyId, settler, now, refusedBytesMax }: LeadImport,
): Promise<void> {
  const file = new URL('demo/leads.json', ROOT);
  const { between, makeId } = createRandom(1);
  const leads = (JSON.parse(readFileSync(file, 'utf8')) as DemoLead[]).map((each) => {
    const receivedAt = new Date(now.getTime() - each.daysAgo * between(0.98, 1) * DAY_MS);
    return { ...each, id: makeId(receivedAt.getTime()), receivedAt };
  });
  const author: Author = { actor: { type: 'key', id: keyId }, requestId: null };
  await importReceived(db, accountId, leads, { author, refusedBytesMax });
  if (settler === undefined) return;
  const { id: userId, name } = settler;
  const actor = { type: 'user', id: userId, name } as const;
  const settling = makeAuthor(userId);
  for (const { id, lead, fix, dismiss } of leads) {
    if (fix !== undefined) await retryRecord(db, accountId, id, { ...lead, email: fix }, settling);
    if (dismiss !== undefined) await dismissRecord(db, { accountId, actor }, id, dismiss);
  }
}
