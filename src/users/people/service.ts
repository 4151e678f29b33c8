import { lockAccount } from '../../accounts/index.ts';
import {
  listScopesOfRole,
  requireGrantableRole,
  requireManageable,
  type Caller,
  type Principal,
  type Role,
} from '../../access/index.ts';
import type { NewEvent, Requester } from '../../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { requireMatch, type IfMatch } from '../../platform/http/index.ts';
import { createOnce, type Creation } from '../../platform/idempotency/index.ts';
import { newId } from '../../platform/text/index.ts';
import { listUserEvents } from '../events.ts';
import { createLink } from '../links/service.ts';
import { voidLinks } from '../links/store.ts';
import { planUser } from '../rules.ts';
import type { User } from '../schemas.ts';
import { deleteSessions } from '../sessions/store.ts';
import { writeUsers } from '../store.ts';
import { writePerson } from '../write.ts';
import { showLink } from './links.ts';
import { presentPerson } from './present.ts';
import {
  lockPerson,
  refuseTakenEmail,
  requireOtherOwner,
  requirePerson,
  requireRoomForPerson,
  requireStored,
} from './requirements.ts';
import type { NewPerson, Person, PersonChanges, ShownLink } from './schemas.ts';
import { findPeople } from './store.ts';

/** Reads people for their events, as the API shows them, by their ids. */
export async function readPersonObjects(
  db: Queryable,
  { accountId }: Pick<Principal, 'accountId'>,
  ids: string[],
): Promise<Map<string, Person>> {
  const found = await findPeople(db, accountId, ids);
  return new Map(found.map((person) => [person.id, presentPerson(person)]));
}

/** Adds a person, and makes their invitation. */
export function createPerson(
  db: Pool,
  { caller, author }: Requester,
  { accountId, claim, path, publicUrl }: Creation & { publicUrl: string },
  { email, name, role }: NewPerson,
): Promise<{ resource: Person & { invitation: ShownLink }; isRepeat: boolean }> {
  const now = new Date();
  const creation = { accountId, claim, path, secret: 'invitation' };
  return createOnce(db, creation, async (tx) => {
    await lockAccount(tx, accountId);
    requireGrantableRole(caller, role);
    await refuseTakenEmail(tx, accountId, email, null);
    await requireRoomForPerson(tx, accountId);
    const { row } = planUser(undefined, newId(), { email, name, role });
    await writePerson(tx, accountId, { author, stored: undefined, row }, now);
    const link = await createLink(tx, accountId, 'invite', row.id);
    const invitation = await showLink(tx, accountId, { ...link, kind: 'invite' }, publicUrl);
    return { ...(await requirePerson(tx, accountId, row.id)), invitation };
  });
}

/** Changes a person's email, name or role. */
export function changePerson(
  db: Pool,
  { caller, author }: Requester,
  { accountId, userId, ifMatch }: { accountId: string; userId: string; ifMatch: IfMatch },
  changes: PersonChanges,
): Promise<Person> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    const stored = await lockPerson(tx, accountId, userId);
    requireManageable(caller, stored.role);
    const current = await requirePerson(tx, accountId, userId);
    requireMatch(ifMatch, current);
    const { row, change } = planUser(stored, stored.id, changes);
    if (change === 'unchanged') return current;
    if (row.role !== stored.role) {
      requireGrantableRole(caller, row.role);
      if (stored.role === 'owner') await requireOtherOwner(tx, accountId, stored);
    }
    if (row.email !== stored.email) await refuseTakenEmail(tx, accountId, row.email, stored.id);
    await endFormerAccess(tx, accountId, stored, row);
    await writePerson(tx, accountId, { author, stored, row }, now);
    return requirePerson(tx, accountId, userId);
  });
}

/** Ends the sessions of a person who is deactivated, and the links that a person may no longer use after a change. */
export async function endFormerAccess(
  tx: Queryable,
  accountId: string,
  stored: User,
  row: User,
): Promise<void> {
  const isDeactivated = stored.active && !row.active;
  if (isDeactivated) await deleteSessions(tx, accountId, stored.id, null);
  // Another person may read the old address. Somebody who may not manage the new role may have made a link for the former one.
  const hasOldLinks = row.email !== stored.email || hasMoreScopes(row.role, stored.role);
  if (isDeactivated || hasOldLinks) await voidLinks(tx, accountId, stored.id);
}

/** Whether a role has a scope that another one lacks. */
function hasMoreScopes(role: Role, other: Role): boolean {
  const scopes = new Set(listScopesOfRole(other));
  return listScopesOfRole(role).some((scope) => !scopes.has(scope));
}

/** Lets a person who was deactivated sign in again. */
export function activatePerson(
  db: Pool,
  { caller, author }: Requester,
  accountId: string,
  userId: string,
): Promise<Person> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    const stored = await lockPerson(tx, accountId, userId);
    requireManageable(caller, stored.role);
    if (!stored.active) {
      await requireRoomForPerson(tx, accountId);
      await writePerson(tx, accountId, { author, stored, row: { ...stored, active: true } }, now);
    }
    return requirePerson(tx, accountId, userId);
  });
}

/**
 * Plans the deactivation of a person. Returns undefined when they are already inactive. The caller must lock the account
 * first, and then record the events and pass the row to `writeDeactivation`.
 */
export async function planDeactivation(
  tx: Queryable,
  caller: Caller,
  accountId: string,
  userId: string,
): Promise<{ user: User; events: NewEvent[] } | undefined> {
  const stored = await requireStored(tx, accountId, userId);
  requireManageable(caller, stored.role);
  if (!stored.active) return undefined;
  if (stored.role === 'owner') await requireOtherOwner(tx, accountId, stored);
  const user = { ...stored, active: false };
  return { user, events: listUserEvents(stored, user) };
}

/** Deactivates a person, and ends their sessions and links. */
export async function writeDeactivation(
  tx: Queryable,
  accountId: string,
  user: User,
  now: Date,
): Promise<void> {
  await writeUsers(tx, accountId, [user], now);
  await endFormerAccess(tx, accountId, { ...user, active: true }, user);
}
