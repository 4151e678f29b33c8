import type { Principal } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { voidLinks } from '../links/store.ts';
import { giveNewToken } from '../sessions/service.ts';
import { deleteSessions } from '../sessions/store.ts';
import { findKnownSince, namePerson, type CountGuess } from '../sign-in/attempts.ts';
import { findCredentials, lockCredentials, updatePassword } from '../sign-in/store.ts';
import { hashPassword, verifyPassword } from './hash.ts';
import { raiseVersion } from '../store.ts';
import { findPasswordFault } from './rules.ts';

/** Throws when a password is too weak for the person with this email. */
export function refuseWeakPassword(password: string, email: string): void {
  const fault = findPasswordFault(password, email);
  if (fault === null) return;
  const detail = `password ${fault}.`;
  throw new Problem('password_too_weak', detail, { errors: [{ pointer: '/password', detail }] });
}

interface TypedPassword {
  password: string;
  network: string;
  countGuess: CountGuess;
  /** Checks what else was sent, such as a code. An error that it throws counts as a wrong password. */
  checkMore?: () => Promise<void>;
}

/** Throws unless the password is that of the person who is signed in. Returns their email, and the hash of the password. */
export async function requireOwnPassword(
  db: Pool,
  { accountId, actor }: Principal,
  { password, network, countGuess, checkMore }: TypedPassword,
): Promise<{ email: string; hash: string }> {
  const known = { network, since: findKnownSince(new Date()) };
  const person = await findCredentials(db, accountId, { id: actor.id }, known);
  if (person === undefined) throw wrongPassword();
  const { email, isKnownNetwork, passwordHash: hash } = person;
  const guess = { network, person: namePerson(accountId, email), isKnownNetwork };
  await countGuess(guess, async () => {
    if (!(await verifyPassword(password, hash, network))) throw wrongPassword();
    await checkMore?.();
  });
  if (hash === null) throw wrongPassword();
  return { email, hash };
}

function wrongPassword(): Problem {
  const detail = 'The password is not that of the person who is signed in.';
  return new Problem('sign_in_failed', detail);
}

/**
 * Changes the password of the person who is signed in, and ends their other sessions and their links. Returns a new token for this
 * session. Throws when the password is no longer the one of `currentHash`.
 */
export async function changePassword(
  db: Pool,
  principal: Principal,
  { currentHash, password }: { currentHash: string; password: string },
  network: string,
): Promise<string> {
  const { accountId, actor, session } = principal;
  const hash = await hashPassword(password, network);
  return runInTransaction(db, async (tx) => {
    // Lock the account before the person, as the use of a link does.
    await lockAccount(tx, accountId);
    if (!(await lockCredentials(tx, accountId, actor.id, currentHash))) throw wrongPassword();
    await updatePassword(tx, accountId, actor.id, hash);
    await deleteSessions(tx, accountId, actor.id, session?.id ?? null);
    // Somebody else may have a link, and could replace the new password with it. The member `invitedUntil` of a person changes.
    await voidLinks(tx, accountId, actor.id);
    await raiseVersion(tx, accountId, actor.id);
    return giveNewToken(tx, principal);
  });
}
