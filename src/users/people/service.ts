import { describeAccount, lockAccount, recordEvents } from '../../accounts/index.ts';
import {
  listScopesOfRole,
  requireGrantableRole,
  requireManageable,
  type Caller,
  type Principal,
  type Role,
} from '../../access/index.ts';
import { OPERATOR, type Author, type NewEvent, type Requester } from '../../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { Problem, requireMatch, type IfMatch } from '../../platform/http/index.ts';
import { createOnce, type Creation } from '../../platform/idempotency/index.ts';
import { isUuid, newId, toEmailKey } from '../../platform/text/index.ts';
import { listUserEvents } from '../events.ts';
import { formatLink } from '../links/rules.ts';
import { createLink, type PersonLink } from '../links/service.ts';
import { voidLinks } from '../links/store.ts';
import { planUser } from '../rules.ts';
import type { User } from '../schemas.ts';
import { deleteSessions } from '../sessions/store.ts';
import {
  countActiveUsers,
  countOtherOwners,
  raiseVersion,
  readUser,
  readUserByEmail,
  writeUsers,
} from '../store.ts';
import { presentPerson } from './present.ts';
import { findPeople, findPerson } from './store.ts';
import type { NewPerson, Person, PersonChanges, ShownLink } from './schemas.ts';

type PersonLinkKind = 'invite' | 'reset';

/** The most active people of an account. */
const USERS_MAX = 1_000;

/** Finds a person. Throws a 404 when the account has none with this id. */
export async function requirePerson(
  db: Queryable,
  accountId: string,
  userId: string,
): Promise<Person> {
  const person = isUuid(userId) ? await findPerson(db, accountId, userId) : undefined;
  if (person === undefined) throw userNotFound();
  return presentPerson(person);
}

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
    await requireRoom(tx, accountId);
    const { row } = planUser(undefined, newId(), { email, name, role });
    await write(tx, accountId, { author, row }, now);
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
    await write(tx, accountId, { author, stored, row }, now);
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
      await requireRoom(tx, accountId);
      await write(tx, accountId, { author, stored, row: { ...stored, active: true } }, now);
    }
    return requirePerson(tx, accountId, userId);
  });
}

/** Makes a link by which a person chooses a password. A reset can also turn their second step off. */
export function makePersonLink(
  db: Pool,
  caller: Caller,
  { accountId, userId }: { accountId: string; userId: string },
  { kind, removeSecondStep = false }: { kind: PersonLinkKind; removeSecondStep?: boolean },
): Promise<PersonLink> {
  return runInTransaction(db, async (tx) => {
    const stored = await lockPerson(tx, accountId, userId);
    requireManageable(caller, stored.role);
    if (!stored.active) throw notActive();
    await raiseVersion(tx, accountId, stored.id);
    return createLink(tx, accountId, kind, stored.id, { removeSecondStep });
  });
}

/** Makes the invitation of a person. Adds a new person; a known one gets the role, and the name if it is given. */
export function invitePerson(
  db: Pool,
  accountId: string,
  { email, role, name }: Omit<NewPerson, 'name'> & { name?: string },
  { author } = OPERATOR,
): Promise<PersonLink> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const stored = await readUserByEmail(tx, accountId, toEmailKey(email));
    if (stored?.active === false) throw notActive();
    if (stored === undefined) await requireRoom(tx, accountId);
    if (stored?.role === 'owner' && role !== 'owner')
      await requireOtherOwner(tx, accountId, stored);
    const entry = stored
      ? { role, ...(name !== undefined && { name }) }
      : { email, role, name: name ?? email };
    const { row, change } = planUser(stored, stored?.id ?? newId(), entry);
    if (change !== 'unchanged') await write(tx, accountId, { author, stored, row }, now);
    else await raiseVersion(tx, accountId, row.id);
    return createLink(tx, accountId, 'invite', row.id);
  });
}

/** Makes the link by which the person with this email chooses another password. Returns undefined for an unknown email. */
export async function resetPerson(
  db: Pool,
  accountId: string,
  email: string,
  { removeSecondStep = false } = {},
): Promise<PersonLink | undefined> {
  const { id: userId } = (await readUserByEmail(db, accountId, toEmailKey(email))) ?? {};
  if (userId === undefined) return undefined;
  return makePersonLink(db, null, { accountId, userId }, { kind: 'reset', removeSecondStep });
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

/** Throws unless the account has this person and they are active. */
export async function requireActiveUser(
  tx: Queryable,
  accountId: string,
  userId: string,
  pointer: string,
): Promise<void> {
  const stored = isUuid(userId) ? await readUser(tx, accountId, userId) : undefined;
  if (stored?.active !== true) throw userNotActive(pointer);
}

/** Makes the problem of a field that does not name an active person. */
export function userNotActive(pointer: string): Problem {
  const detail = `${pointer.slice(1)} must be the id of an active person of this account.`;
  return new Problem('user_not_active', detail, { errors: [{ pointer, detail }] });
}

/** Locks the account, and reads a person. Throws a 404 when the account has none with this id. */
async function lockPerson(tx: Queryable, accountId: string, userId: string): Promise<User> {
  await lockAccount(tx, accountId);
  return requireStored(tx, accountId, userId);
}

async function requireStored(tx: Queryable, accountId: string, userId: string): Promise<User> {
  const stored = isUuid(userId) ? await readUser(tx, accountId, userId) : undefined;
  if (stored === undefined) throw userNotFound();
  return stored;
}

/** Writes a person and their events. Without `stored`, the person is new. */
async function write(
  tx: Queryable,
  accountId: string,
  { author, stored, row }: { author: Author; stored?: User | undefined; row: User },
  now: Date,
): Promise<void> {
  const events = listUserEvents(stored, row);
  await recordEvents(tx, accountId, [{ author, events }], { now });
  await writeUsers(tx, accountId, [row], now);
}

/** Presents a link with its token, which is shown once. */
export async function showLink(
  db: Queryable,
  accountId: string,
  { kind, token, expiresAt }: PersonLink & { kind: PersonLinkKind },
  publicUrl: string,
): Promise<ShownLink> {
  const { slug } = await describeAccount(db, accountId);
  return { url: formatLink(publicUrl, slug, kind, token), expiresAt: expiresAt.toISOString() };
}

async function refuseTakenEmail(
  tx: Queryable,
  accountId: string,
  email: string,
  ownId: string | null,
): Promise<void> {
  const other = await readUserByEmail(tx, accountId, toEmailKey(email));
  if (other === undefined || other.id === ownId) return;
  throw new Problem('user_email_taken', 'Another person of the account has this email.', {
    errors: [{ pointer: '/email', detail: 'email belongs to another person of the account.' }],
  });
}

async function requireRoom(tx: Queryable, accountId: string): Promise<void> {
  if ((await countActiveUsers(tx, accountId)) < USERS_MAX) return;
  const detail = `An account has at most ${USERS_MAX} people who are active.`;
  throw new Problem('limit_reached', detail);
}

async function requireOtherOwner(
  tx: Queryable,
  accountId: string,
  { id, active }: User,
): Promise<void> {
  if (!active || (await countOtherOwners(tx, accountId, id)) > 0) return;
  throw new Problem(
    'last_owner',
    'An account keeps one active owner. Make another person an owner first.',
  );
}

function userNotFound(): Problem {
  return new Problem('user_not_found', 'The account has no such person.');
}

function notActive(): Problem {
  const detail = 'The person is not active in this account.';
  return new Problem('invalid_transition', detail);
}
