import { findAccountBySlug } from '../../accounts/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { getNetwork, Problem } from '../../platform/http/index.ts';
import { NIL_ID, toEmailKey } from '../../platform/text/index.ts';
import { hashPassword, isOutdated, verifyPassword } from '../passwords/hash.ts';
import { consumeCode } from '../second-step/service.ts';
import { startSession, type Device } from '../sessions/service.ts';
import { findKnownSince, namePerson, type CountGuess } from './attempts.ts';
import {
  findCredentials,
  lockCredentials,
  markNetwork,
  markSignedIn,
  updatePassword,
  type Credentials,
} from './store.ts';

interface Attempt {
  account: string;
  email: string;
  password: string;
  code?: string;
}

/**
 * Signs a person in: starts a session, and returns its token. For an unknown account or email it runs the same statements and a
 * hash as for a wrong password, so that the duration does not show who exists.
 */
export async function signIn(
  db: Pool,
  { account, email, password, code }: Attempt,
  device: Device,
  { countGuess, secretKey }: { countGuess: CountGuess; secretKey: Buffer | null },
): Promise<string> {
  const network = getNetwork(device.address);
  const known = { network, since: findKnownSince(new Date()) };
  const accountId = await findAccountBySlug(db, account);
  const emailKey = toEmailKey(email);
  const searchedId = accountId ?? NIL_ID;
  const found = await findCredentials(db, searchedId, { emailKey }, known);
  const guess = {
    network,
    person: namePerson(accountId ?? account, email),
    isKnownNetwork: found?.isKnownNetwork ?? false,
  };
  const { id, passwordHash } = await countGuess(guess, async () => {
    const checked = await checkPassword(found, password, network);
    if (!(await consumeCode(db, searchedId, checked.id, code, secretKey))) throw signInFailed();
    return checked;
  });
  const newHash = isOutdated(passwordHash) ? await hashPassword(password, network) : null;
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    if (!(await lockCredentials(tx, searchedId, id, passwordHash))) throw signInFailed();
    if (newHash !== null) await updatePassword(tx, searchedId, id, newHash);
    return completeSignIn(tx, searchedId, id, device, { now, isDemo: false });
  });
}

async function checkPassword(
  person: Credentials | undefined,
  password: string,
  network: string,
): Promise<{ id: string; passwordHash: string }> {
  const passwordHash = person?.passwordHash ?? null;
  const isRight = await verifyPassword(password, passwordHash, network);
  if (!isRight || person === undefined || passwordHash === null) throw signInFailed();
  return { id: person.id, passwordHash };
}

/** Starts the session of a person who has proved who they are, and returns its token. */
export async function completeSignIn(
  tx: Queryable,
  accountId: string,
  userId: string,
  device: Device,
  options: { now: Date; isDemo: boolean },
): Promise<string> {
  const { now } = options;
  await markSignedIn(tx, accountId, userId, now);
  const network = getNetwork(device.address);
  await markNetwork(tx, accountId, userId, { network, now, since: findKnownSince(now) });
  return startSession(tx, accountId, userId, device, options);
}

function signInFailed(): Problem {
  const detail = 'The account, the email or the password is wrong, or the person may not sign in.';
  return new Problem('sign_in_failed', detail);
}
