import { setTimeout as sleep } from 'node:timers/promises';
import { deleteAccountRow, raiseRevision, readOrganization } from '../accounts/index.ts';
import { deleteAllContacts } from '../contacts/index.ts';
import { deleteRecords } from '../imports/index.ts';
import { revokeKeys } from '../keys/index.ts';
import { removeAccountFiles } from '../media/index.ts';
import { retryOnConflict, runInTransaction, type Pool } from '../platform/database/index.ts';
import { countAccountRows } from './store.ts';

/** Other processes refuse a revoked key within 250 ms. Requests that they have accepted get as long again. */
const KEYS_IN_USE_MS = 500;

/** The figures that an operator sees before an account is deleted. */
export interface AccountSize {
  companyName: string;
  contacts: number;
  projects: number;
}

/** Reads the figures for the question before a deletion. Throws an Error for an unknown account. */
export async function measureAccount(db: Pool, accountId: string): Promise<AccountSize> {
  const { companyName } = await readOrganization(db, accountId);
  return { companyName, ...(await countAccountRows(db, accountId)) };
}

/** The part of a deletion that is committed: the keys are revoked, or the account is deleted, too. */
export type DeletionStep = 'revoked' | 'deleted';

/**
 * Deletes an account with all its rows. First revokes its keys, so that no lead arrives meanwhile. Returns the error when the files of
 * its pictures could not be removed; null when they could.
 */
export async function deleteAccount(
  { db, mediaDir }: { db: Pool; mediaDir: string },
  accountId: string,
  onStep?: (step: DeletionStep) => void,
): Promise<NodeJS.ErrnoException | null> {
  await revokeKeys(db, accountId, new Date());
  onStep?.('revoked');
  await sleep(KEYS_IN_USE_MS);
  // When a person adds a contact meanwhile, that write and this one can block each other.
  await retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      // From here on nobody adds a contact.
      await raiseRevision(tx, accountId, new Date(), { rows: 0 });
      // Contacts refer to the users, projects and units, which PostgreSQL deletes with the account.
      await deleteAllContacts(tx, accountId);
      await deleteAccountRow(tx, accountId);
      await deleteRecords(tx, accountId);
    }),
  );
  onStep?.('deleted');
  // The import log refers to no row. A lead that was in flight has failed by now, and its record is in the log.
  await deleteRecords(db, accountId);
  return removeAccountFiles(mediaDir, accountId).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
}
