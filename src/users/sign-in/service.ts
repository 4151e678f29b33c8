import { findAccountBySlug } from '../../accounts/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { getNetwork, Problem } from '../../platform/http/index.ts';
import { toEmailKey } from '../../platform/text/index.ts';
import { hashPassword, isOutdated, verifyPassword } from '../passwords/hash.ts';
import { startSession, type Device } from '../sessions/service.ts';
import { findCredentials, markSignedIn, updatePassword } from '../store.ts';

interface Attempt {
  account: string;
  email: string;
  password: string;
}

/** An id that no account has. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/** Signs a person in: begins a session, and returns its token. An unknown email takes the same statements and a hash, too. */
export async function signIn(
  db: Pool,
  { account, email, password }: Attempt,
  device: Device,
): Promise<string> {
  const network = getNetwork(device.address);
  const accountId = (await findAccountBySlug(db, account)) ?? NO_ACCOUNT;
  const person = await findCredentials(db, accountId, { emailKey: toEmailKey(email) });
  const isRight = await verifyPassword(password, person?.password ?? null, network);
  if (!isRight || person === undefined || person.password === null) throw signInFailed();
  const raised = isOutdated(person.password) ? await hashPassword(password, network) : null;
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    if (raised !== null) await updatePassword(tx, accountId, person.id, raised);
    await markSignedIn(tx, accountId, person.id, now);
    return startSession(tx, accountId, person.id, device, { now, isDemo: false });
  });
}

function signInFailed(): Problem {
  const detail = 'The account, the email or the password is wrong, or the person may not sign in.';
  return new Problem('sign_in_failed', detail);
}
