import { findAccountBySlug } from '../../accounts/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { getNetwork, Problem } from '../../platform/http/index.ts';
import { NIL_ID, toEmailKey } from '../../platform/text/index.ts';
import { hashPassword, isOutdated, verifyPassword } from '../passwords/hash.ts';
import { requireCode } from '../second-step/service.ts';
import type { Device } from '../sessions/service.ts';
import { findCredentials, lockCredentials, updatePassword, type Credentials } from './store.ts';
import type { CountGuess } from './attempts.ts';
import { beginSession, findKnownSince, namePerson } from './begin.ts';

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
  const owner = accountId ?? NIL_ID;
  const found = await findCredentials(db, owner, { emailKey }, known);
  const guess = {
    network,
    person: namePerson(accountId ?? account, email),
    isKnownNetwork: found?.isKnownNetwork ?? false,
  };
  const person = await countGuess(guess, async () => {
    const checked = await checkPassword(found, password, network);
    await requireCode(db, owner, checked.id, code, secretKey);
    return checked;
  });
  const raised = isOutdated(person.password) ? await hashPassword(password, network) : null;
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    if (!(await lockCredentials(tx, owner, person.id, person.password))) throw signInFailed();
    if (raised !== null) await updatePassword(tx, owner, person.id, raised);
    return beginSession(tx, owner, person.id, device, { now, isDemo: false });
  });
}

async function checkPassword(
  person: Credentials | undefined,
  password: string,
  network: string,
): Promise<{ id: string; password: string }> {
  const hash = person?.password ?? null;
  const isRight = await verifyPassword(password, hash, network);
  if (!isRight || person === undefined || hash === null) throw signInFailed();
  return { id: person.id, password: hash };
}

function signInFailed(): Problem {
  const detail = 'The account, the email or the password is wrong, or the person may not sign in.';
  return new Problem('sign_in_failed', detail);
}
