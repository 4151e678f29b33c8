import type { Principal } from '../../access/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import type { SessionCache } from '../sessions/look-up.ts';
import { giveNewToken } from '../sessions/service.ts';
import { deleteSessions } from '../sessions/store.ts';
import { findCredentials, updatePassword } from '../store.ts';
import { hashPassword, verifyPassword } from './hash.ts';
import { findPasswordFault } from './rules.ts';

/** Throws when a password is too weak for the person with this email. */
export function refuseWeakPassword(password: string, email: string): void {
  const fault = findPasswordFault(password, email);
  if (fault === null) return;
  const detail = `password ${fault}.`;
  throw new Problem('password_too_weak', detail, { errors: [{ pointer: '/password', detail }] });
}

/** Throws unless the password is that of the person who is signed in. */
export async function requireOwnPassword(
  db: Pool,
  { accountId, actor }: Principal,
  password: string,
  network: string,
): Promise<{ email: string }> {
  const person = await findCredentials(db, accountId, { id: actor.id });
  const isRight = await verifyPassword(password, person?.password ?? null, network);
  if (person === undefined || !isRight)
    throw new Problem('sign_in_failed', 'The password is not that of the person who is signed in.');
  return person;
}

/** Changes the password of the person who is signed in. Their other sessions end. Returns a new token for this one. */
export async function changePassword(
  db: Pool,
  principal: Principal,
  password: string,
  network: string,
  cache: SessionCache,
): Promise<string> {
  const { accountId, actor, session } = principal;
  const hash = await hashPassword(password, network);
  try {
    return await runInTransaction(db, async (tx) => {
      await updatePassword(tx, accountId, actor.id, hash);
      await deleteSessions(tx, accountId, actor.id, session?.id ?? null);
      return giveNewToken(tx, principal);
    });
  } finally {
    cache.clear();
  }
}
