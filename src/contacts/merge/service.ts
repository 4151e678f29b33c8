import { recordEvents } from '../../accounts/index.ts';
import { SYSTEM, type Author } from '../../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { findContacts, lockContactEmails } from '../store.ts';
import { readTagLabels } from '../tag-store.ts';
import { listMergeEvents } from './events.ts';
import { planMerge, type MergeReport } from './rules.ts';
import { writeMerge } from './store.ts';

/**
 * Merges contacts of an account that share an email into one of them, in one transaction. Throws a MergeError when the
 * contacts cannot be merged. A dry run only reports the merge, and takes no lock.
 */
export async function mergeContacts(
  db: Pool,
  accountId: string,
  remainingId: string,
  duplicateIds: string[],
  { dryRun, author = SYSTEM }: { dryRun: boolean; author?: Author },
): Promise<MergeReport> {
  // PostgreSQL returns UUIDs in lower case.
  const [remaining = '', ...duplicates] = [remainingId, ...duplicateIds].map((id) =>
    id.toLowerCase(),
  );
  const ids = [remaining, ...duplicates].filter(isUuid);

  async function planInTransaction(tx: Queryable) {
    const found = await findContacts(tx, accountId, ids);
    return { found, ...planMerge(remaining, duplicates, found) };
  }

  async function mergeInTransaction(tx: Queryable): Promise<MergeReport> {
    await lockContactEmails(tx, accountId, ids);
    const { found, report, changes } = await planInTransaction(tx);
    const labels = await readTagLabels(tx, accountId);
    const events = listMergeEvents(found, changes, labels);
    const now = new Date();
    await recordEvents(tx, accountId, [{ author, events }], { now });
    await writeMerge(tx, accountId, changes, now);
    return report;
  }

  if (!dryRun) return retryOnConflict(() => runInTransaction(db, mergeInTransaction));
  return runInTransaction(
    db,
    async (tx) => (await planInTransaction(tx)).report,
    'repeatable read, read only',
  );
}
