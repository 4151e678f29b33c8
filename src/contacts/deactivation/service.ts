import { lockRevision, recordEvents } from '../../accounts/index.ts';
import type { NewEvent, Requester } from '../../events/index.ts';
import type { Pool, Queryable } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import {
  planDeactivation,
  requireActiveUser,
  requirePerson,
  writeDeactivation,
  type Person,
} from '../../users/index.ts';
import { listContactEvents } from '../events.ts';
import { lockContactEmails } from '../email-locks.ts';
import { findAssignedContacts } from '../read-store.ts';
import { repeatStep, STEP_MAX_CONTACTS } from '../steps.ts';
import { reassignContacts } from '../store.ts';

interface Deactivation {
  accountId: string;
  userId: string;
  /** The id of the person who gets the contacts; null when nobody does. */
  reassignTo: string | null;
}

/**
 * Deactivates a person in steps. The first step ends their access; each step assigns some of their contacts to another person, or
 * to nobody. When a later step fails, a repeat assigns the contacts that are left. It is in this room because it writes contacts.
 */
export async function deactivatePerson(
  db: Pool,
  { caller, author }: Requester,
  { accountId, ...ids }: Deactivation,
): Promise<Person> {
  const userId = ids.userId.toLowerCase();
  const reassignTo = ids.reassignTo?.toLowerCase() ?? null;
  await repeatStep(db, accountId, async (tx, isFirst) => {
    const now = new Date();
    const person = isFirst ? await planDeactivation(tx, caller, accountId, userId) : undefined;
    if (isFirst && reassignTo === userId) throw reassignedToSelf();
    // Check this in each step: the person who gets the contacts may be deactivated between two steps.
    if (reassignTo !== null) await requireActiveUser(tx, accountId, reassignTo, '/reassignTo');
    const { contactIds, isLast } = await lockAssignedContacts(tx, accountId, userId);
    const events = [
      ...(person?.events ?? []),
      ...contactIds.flatMap((id) => listAssignment(id, userId, reassignTo)),
    ];
    const rows = Math.max(contactIds.length, 1);
    if (events.length > 0) await recordEvents(tx, accountId, [{ author, events }], { now, rows });
    await reassignContacts(tx, accountId, contactIds, reassignTo);
    if (person !== undefined) await writeDeactivation(tx, accountId, person.user, now);
    return isLast;
  });
  return requirePerson(db, accountId, userId);
}

function reassignedToSelf(): Problem {
  const detail = 'reassignTo must be the id of another person: this one is being deactivated.';
  return new Problem('user_not_active', detail, { errors: [{ pointer: '/reassignTo', detail }] });
}

/**
 * Finds the next contacts of a person, and locks their emails and the revision. `isLast` is false when the person may have more
 * contacts.
 */
async function lockAssignedContacts(
  tx: Queryable,
  accountId: string,
  userId: string,
): Promise<{ contactIds: string[]; isLast: boolean }> {
  const find = () => findAssignedContacts(tx, accountId, userId, STEP_MAX_CONTACTS);
  const locked = await find();
  await lockContactEmails(tx, accountId, locked);
  // After this lock, no other transaction assigns contacts, so the list is complete. An import that waits for the lock looks again
  // whether the person is active.
  await lockRevision(tx, accountId);
  const found = await find();
  // Leave a contact that the person has got meanwhile to the next step. Its email is not locked, so an import that has read it
  // would undo the change.
  const contactIds = found.filter((id) => locked.includes(id));
  return {
    contactIds,
    isLast: found.length < STEP_MAX_CONTACTS && contactIds.length === found.length,
  };
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
