import { retrying, transaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { lockEmails } from '../store.ts';
import { planMerge, type MergeReport } from './rules.ts';
import { findEmailKey, findMergingContacts, writeMerge } from './store.ts';

interface MergeOptions {
  /** A dry run reports the merge and changes nothing. */
  dryRun: boolean;
}

/**
 * Merges contacts of an account that have one email into one of them, all or nothing. Throws a MergeError, with nothing
 * changed, when the contacts cannot be merged.
 */
export async function mergeContacts(
  db: Pool,
  accountId: string,
  keepId: string,
  duplicateIds: string[],
  { dryRun }: MergeOptions,
): Promise<MergeReport> {
  // PostgreSQL prints a UUID in lower case.
  const [keep = '', ...duplicates] = [keepId, ...duplicateIds].map((id) => id.toLowerCase());
  if (dryRun) return previewMerge(db, accountId, keep, duplicates);
  for (;;) {
    const report = await retrying(() =>
      transaction(db, (tx) => mergeWithin(tx, accountId, keep, duplicates)),
    );
    if (report !== undefined) return report;
  }
}

// A read-only transaction needs no lock and waits for no other.
function previewMerge(
  db: Pool,
  accountId: string,
  keepId: string,
  duplicateIds: string[],
): Promise<MergeReport> {
  return transaction(
    db,
    async (tx) => {
      const found = await findMergingContacts(tx, accountId, [keepId, ...duplicateIds]);
      return planMerge(keepId, duplicateIds, found).report;
    },
    'repeatable read, read only',
  );
}

/** Gives undefined, with nothing changed, when the contact got another email before the lock of its email. */
async function mergeWithin(
  tx: Queryable,
  accountId: string,
  keepId: string,
  duplicateIds: string[],
): Promise<MergeReport | undefined> {
  const emailKey = await findEmailKey(tx, accountId, keepId);
  if (emailKey !== undefined) await lockEmails(tx, accountId, [emailKey]);
  const found = await findMergingContacts(tx, accountId, [keepId, ...duplicateIds]);
  const kept = found.find(({ contact }) => contact.id === keepId);
  if (kept?.contact.emailKey !== emailKey) return undefined;
  const { report, changes } = planMerge(keepId, duplicateIds, found);
  await writeMerge(tx, accountId, keepId, changes);
  return report;
}
