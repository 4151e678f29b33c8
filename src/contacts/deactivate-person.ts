import { lockAccount, raiseRevision, recordEvents } from '../accounts/index.ts';
import type { NewEvent, Requester } from '../events/index.ts';
import { retryOnConflict, runInTransaction, type Pool } from '../platform/database/index.ts';
import {
  planDeactivation,
  requireActiveUser,
  requirePerson,
  userNotActive,
  writeDeactivation,
  type Person,
} from '../users/index.ts';
import { listContactEvents } from './events.ts';
import { lockContactEmails } from './email-locks.ts';
import { findAssignedContacts } from './read-store.ts';
import { reassignContacts } from './store.ts';

interface Deactivation {
  accountId: string;
  userId: string;
  /** The id of the person who gets the contacts; null when nobody does. */
  reassignTo: string | null;
}

/**
 * Ends the access of a person, and assigns their contacts to another person or to nobody. It changes nothing when the person is
 * not active. It is in this room because it writes contacts.
 */
export function deactivatePerson(
  db: Pool,
  { caller, author }: Requester,
  { accountId, userId, reassignTo }: Deactivation,
): Promise<Person> {
  const now = new Date();
  return retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      await lockAccount(tx, accountId);
      const person = await planDeactivation(tx, caller, accountId, userId);
      if (person !== undefined) {
        if (reassignTo?.toLowerCase() === person.user.id) throw userNotActive('/reassignTo');
        if (reassignTo !== null) await requireActiveUser(tx, accountId, reassignTo, '/reassignTo');
        await lockContactEmails(tx, accountId, await findAssignedContacts(tx, accountId, userId));
        // After this lock, no other transaction assigns contacts, so the list is complete. An import that waits for the lock
        // looks again whether the person is active.
        await raiseRevision(tx, accountId, now);
        const ids = await findAssignedContacts(tx, accountId, userId);
        const ofContacts = ids.flatMap((id) => listAssignment(id, person.user.id, reassignTo));
        const events = [...person.events, ...ofContacts];
        const rows = Math.max(ids.length, 1);
        await recordEvents(tx, accountId, [{ author, events }], { now, rows });
        await reassignContacts(tx, accountId, ids, reassignTo);
        await writeDeactivation(tx, accountId, person.user, now);
      }
      return requirePerson(tx, accountId, userId);
    }),
  );
}

function listAssignment(contactId: string, from: string, to: string | null): NewEvent[] {
  return listContactEvents({
    contactId,
    isNew: false,
    before: { assignedAccountUserId: from },
    after: to === null ? {} : { assignedAccountUserId: to },
    tags: [],
    links: [],
    activities: [],
    importId: null,
  });
}
