import { lockAccount, raiseRevision } from '../accounts/index.ts';
import { retryOnConflict, runInTransaction, type Pool } from '../platform/database/index.ts';
import { planDeactivation, requireActiveUser, writeDeactivation } from '../users/index.ts';
import { findAssignedContacts, lockContactEmails, reassignContacts } from './store.ts';

/**
 * Ends the access of a person, and assigns their contacts to another one, or to nobody. Nothing changes when the person is
 * not active. It stands here since it writes contacts, too.
 */
export function deactivatePerson(
  db: Pool,
  accountId: string,
  userId: string,
  reassignTo: string | null,
): Promise<void> {
  const now = new Date();
  return retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      await lockAccount(tx, accountId);
      const person = await planDeactivation(tx, accountId, userId);
      if (person === undefined) return;
      if (reassignTo !== null) await requireActiveUser(tx, accountId, reassignTo, '/reassignTo');
      await lockContactEmails(tx, accountId, await findAssignedContacts(tx, accountId, userId));
      await raiseRevision(tx, accountId, now);
      await reassignContacts(tx, accountId, { from: userId, to: reassignTo });
      await writeDeactivation(tx, accountId, person, now);
    }),
  );
}
