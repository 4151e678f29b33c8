import { lockAccount, recordEvents } from '../accounts/index.ts';
import type { Role } from '../access/index.ts';
import { SYSTEM, type Author, type NewEvent } from '../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { newId, toEmailKey } from '../platform/text/index.ts';
import { listUserEvents } from './events.ts';
import { createLink } from './links/service.ts';
import { planUser } from './rules.ts';
import type { User } from './schemas.ts';
import { deleteSessions } from './sessions/store.ts';
import { countOtherOwners, readUser, readUserByEmail, writeUsers } from './store.ts';

/** A link that lets a person choose a password: its token is shown once. */
interface PersonLink {
  token: string;
  expiresAt: Date;
}

/** Makes the invitation of a person. A new person is added; a known one gets the role, and the name if there is one. */
export function invitePerson(
  db: Pool,
  accountId: string,
  { email, role, name }: { email: string; role: Role; name?: string },
  author: Author = SYSTEM,
): Promise<PersonLink> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const stored = await readUserByEmail(tx, accountId, toEmailKey(email));
    if (stored?.active === false) throw userNotActive();
    if (stored?.role === 'owner' && role !== 'owner')
      await requireOtherOwner(tx, accountId, stored.id);
    const entry = stored
      ? { role, ...(name !== undefined && { name }) }
      : { email, role, name: name ?? email };
    const { row, change } = planUser(stored, stored?.id ?? newId(), entry);
    if (change !== 'unchanged') {
      const events = listUserEvents(stored, row);
      await recordEvents(tx, accountId, [{ author, events }], { now });
      await writeUsers(tx, accountId, [row], now);
    }
    return createLink(tx, accountId, 'invite', row.id);
  });
}

/** Makes the link by which a person chooses another password. It can turn their second step off, too. Undefined for an unknown email. */
export function resetPerson(
  db: Pool,
  accountId: string,
  email: string,
  removeSecondStep: boolean,
): Promise<PersonLink | undefined> {
  return runInTransaction(db, async (tx) => {
    const stored = await readUserByEmail(tx, accountId, toEmailKey(email));
    if (stored === undefined) return undefined;
    if (!stored.active) throw userNotActive();
    return createLink(tx, accountId, 'reset', stored.id, removeSecondStep);
  });
}

/**
 * Plans the deactivation of a person. Returns undefined when they are already inactive. The caller must lock the account
 * first, and then record the events and pass the row to `writeDeactivation`.
 */
export async function planDeactivation(
  tx: Queryable,
  accountId: string,
  userId: string,
): Promise<{ user: User; events: NewEvent[] } | undefined> {
  const stored = await readUser(tx, accountId, userId);
  if (stored === undefined) throw new Problem('user_not_found', 'The account has no such person.');
  if (!stored.active) return undefined;
  if (stored.role === 'owner') await requireOtherOwner(tx, accountId, userId);
  const user = { ...stored, active: false };
  return { user, events: listUserEvents(stored, user) };
}

/** Deactivates a person, and ends their sessions. */
export async function writeDeactivation(
  tx: Queryable,
  accountId: string,
  user: User,
  now: Date,
): Promise<void> {
  await writeUsers(tx, accountId, [user], now);
  await deleteSessions(tx, accountId, user.id, null);
}

/** Throws unless a person is there and active. */
export async function requireActiveUser(
  tx: Queryable,
  accountId: string,
  userId: string,
  pointer: string,
): Promise<void> {
  const stored = await readUser(tx, accountId, userId);
  if (stored?.active !== true) throw userNotActive(pointer);
}

async function requireOtherOwner(tx: Queryable, accountId: string, userId: string): Promise<void> {
  if ((await countOtherOwners(tx, accountId, userId)) > 0) return;
  throw new Problem(
    'last_owner',
    'An account keeps one active owner. Make another person an owner first.',
  );
}

function userNotActive(pointer?: string): Problem {
  const detail = 'The person is not active in this account.';
  return new Problem('user_not_active', detail, {
    ...(pointer !== undefined && { errors: [{ pointer, detail }] }),
  });
}
