import { retrying, transaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { lockEmails } from '../store.ts';
import { planMerge, type MergeReport } from './plan.ts';
import { emailKeyFind, mergeWrite, mergingContactsFind } from './store.ts';

interface MergeOptions {
  /** Tells what a merge would do, and changes nothing. */
  dryRun: boolean;
}

/**
 * Merges contacts of an account that have one email into the one that is kept, all or nothing. Throws a
 * MergeError, with nothing changed, when they cannot be.
 */
export async function mergeContacts(
  db: Pool,
  accountId: string,
  keepId: string,
  duplicateIds: string[],
  { dryRun }: MergeOptions,
): Promise<MergeReport> {
  // As PostgreSQL prints a UUID.
  const [keep, duplicates] = [keepId.toLowerCase(), duplicateIds.map((id) => id.toLowerCase())];
  if (dryRun) return foresee(db, accountId, keep, duplicates);
  for (;;) {
    const report = await retrying(() =>
      transaction(db, (tx) => mergeWithin(tx, accountId, keep, duplicates)),
    );
    if (report !== undefined) return report;
  }
}

// What PostgreSQL itself keeps from writing needs no lock, and waits for nobody.
function foresee(
  db: Pool,
  accountId: string,
  keepId: string,
  duplicateIds: string[],
): Promise<MergeReport> {
  return transaction(
    db,
    async (tx) => {
      const found = await mergingContactsFind(tx, accountId, [keepId, ...duplicateIds]);
      return planMerge(keepId, duplicateIds, found).report;
    },
    'repeatable read, read only',
  );
}

/** Gives undefined, with nothing done, when the email that was locked is no longer the kept contact's. */
async function mergeWithin(
  tx: Queryable,
  accountId: string,
  keepId: string,
  duplicateIds: string[],
): Promise<MergeReport | undefined> {
  const emailKey = await emailKeyFind(tx, accountId, keepId);
  if (emailKey !== undefined) await lockEmails(tx, accountId, [emailKey]);
  const found = await mergingContactsFind(tx, accountId, [keepId, ...duplicateIds]);
  const kept = found.find(({ contact }) => contact.id === keepId);
  if (kept?.contact.emailKey !== emailKey) return undefined;
  const { report, changes } = planMerge(keepId, duplicateIds, found);
  await mergeWrite(tx, accountId, keepId, changes);
  return report;
}
