import type { Author } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import { importAll } from './import-all.ts';
import { readImport } from './read-import.ts';
import type { Import } from './submission.ts';
import { listUnknownFields, shortenNames } from './unknown-fields.ts';

/** A lead that was received over HTTP at an earlier time. `id` was made at that time, too. */
type ReceivedLead = Pick<Import, 'id' | 'receivedAt'> & { lead: object };

/**
 * Imports leads that were received earlier, in order. The log has the earlier times, and the changes of the contacts have the
 * present one.
 */
export async function importReceived(
  db: Pool,
  accountId: string,
  received: ReceivedLead[],
  { author, refusedBytesMax }: { author: Author; refusedBytesMax: number },
): Promise<void> {
  const apiKeyId = author.actor.id;
  const origin = { apiKeyId, requestId: null, position: null, file: null, runId: null };
  const imports = received.map(({ lead, ...each }): Import => ({
    ...each,
    origin: { channel: 'single', ...origin },
    author,
    payload: JSON.stringify(lead),
    lead: readImport(lead, 'single'),
    ignoredFields: shortenNames(listUnknownFields(lead)),
  }));
  const [result] = await importAll(db, accountId, [{ imports }], { refusedBytesMax });
  if (result instanceof Error) throw result;
}
