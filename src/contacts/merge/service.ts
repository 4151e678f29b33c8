import { lockAccount } from '../../accounts/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { findContactKeys, findContacts, lockEmails } from '../store.ts';
import { planMerge, type MergeReport } from './rules.ts';
import { writeMerge } from './store.ts';

/**
 * Merges contacts of an account that have one email into one of them, all or nothing. Throws a MergeError, with nothing
 * changed, when the contacts cannot be merged. A dry run reports the merge and changes nothing. It takes no lock.
 */
export async function mergeContacts(
  db: Pool,
  accountId: string,
  remainingId: string,
  duplicateIds: string[],
  { dryRun }: { dryRun: boolean },
): Promise<MergeReport> {
  // PostgreSQL prints a UUID in lower case.
  const [remaining = '', ...duplicates] = [remainingId, ...duplicateIds].map((id) =>
    id.toLowerCase(),
  );
  const ids = [remaining, ...duplicates].filter(isUuid);

  async function plan(tx: Queryable) {
    return planMerge(remaining, duplicates, await findContacts(tx, accountId, ids));
  }

  async function merge(tx: Queryable): Promise<MergeReport> {
    await lockEmailsOf(tx, accountId, ids);
    const { report, changes } = await plan(tx);
    await writeMerge(tx, accountId, remaining, changes);
    return report;
  }

  if (!dryRun) return retryOnConflict(() => runInTransaction(db, merge));
  return runInTransaction(db, async (tx) => (await plan(tx)).report, 'repeatable read, read only');
}

/** Locks the emails of contacts. Only loads of account files change an email, and they lock the account first. */
async function lockEmailsOf(tx: Queryable, accountId: string, ids: string[]): Promise<void> {
  await lockAccount(tx, accountId);
  const keys = await findContactKeys(tx, accountId, { ids });
  await lockEmails(
    tx,
    accountId,
    keys.map(({ emailKey }) => emailKey),
  );
}
