import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { findContacts, lockContactEmails } from '../store.ts';
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
  { dryRun }: { dryRun: boolean },
): Promise<MergeReport> {
  // PostgreSQL returns UUIDs in lower case.
  const [remaining = '', ...duplicates] = [remainingId, ...duplicateIds].map((id) =>
    id.toLowerCase(),
  );
  const ids = [remaining, ...duplicates].filter(isUuid);

  async function planInTransaction(tx: Queryable) {
    return planMerge(remaining, duplicates, await findContacts(tx, accountId, ids));
  }

  async function mergeInTransaction(tx: Queryable): Promise<MergeReport> {
    await lockContactEmails(tx, accountId, ids);
    const { report, changes } = await planInTransaction(tx);
    await writeMerge(tx, accountId, changes, new Date());
    return report;
  }

  if (!dryRun) return retryOnConflict(() => runInTransaction(db, mergeInTransaction));
  return runInTransaction(
    db,
    async (tx) => (await planInTransaction(tx)).report,
    'repeatable read, read only',
  );
}
