import { lockAccount } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { isUuid, toEmailKey } from '../../platform/text/index.ts';
import type { User } from '../schemas.ts';
import { countActiveUsers, countOtherOwners, readUser, readUserByEmail } from '../store.ts';
import { presentPerson } from './present.ts';
import type { Person } from './schemas.ts';
import { findPerson } from './store.ts';

/* The conditions of changes of people. Each function throws the problem that refuses the request. */

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

/** Locks the account, and reads a person. Throws a 404 when the account has none with this id. */
export async function lockPerson(tx: Queryable, accountId: string, userId: string): Promise<User> {
  await lockAccount(tx, accountId);
  return requireStored(tx, accountId, userId);
}

/** Finds a person as they are stored. Throws a 404 when the account has none with this id. */
export async function requireStored(
  tx: Queryable,
  accountId: string,
  userId: string,
): Promise<User> {
  const stored = isUuid(userId) ? await readUser(tx, accountId, userId) : undefined;
  if (stored === undefined) throw userNotFound();
  return stored;
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
function userNotActive(pointer: string): Problem {
  const detail = `${pointer.slice(1)} must be the id of an active person of this account.`;
  return new Problem('user_not_active', detail, { errors: [{ pointer, detail }] });
}

/** Throws when another person of the account has this email. `ownId` is the id of the person who gets it; null for a new one. */
export async function refuseTakenEmail(
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

/** Throws when the account has as many active people as it may have. */
export async function requireRoomForPerson(tx: Queryable, accountId: string): Promise<void> {
  if ((await countActiveUsers(tx, accountId)) < USERS_MAX) return;
  const detail = `An account has at most ${USERS_MAX} people who are active.`;
  throw new Problem('limit_reached', detail);
}

/** Throws when this person is the only active owner of the account. */
export async function requireOtherOwner(
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
