import assert from 'node:assert/strict';
import { argon2Sync, randomBytes } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import type { Role } from '../../src/access/index.ts';
import { runInTransaction } from '../../src/platform/database/index.ts';
import { accountFile, accountIdOf } from './accounts.ts';
import type { Answer, TestApp } from './harness.ts';
import { completeSignIn, hashPassword } from './internals.ts';
import { readRows } from './sql.ts';

export const PASSWORD = 'korimako sings at dawn';

/** The hash of the password. All people share it, since hashing takes longer than a request. */
const hash = hashPassword(PASSWORD, '');

/** Hashes a password so that a wrong one is refused in little time. The right one gets a new hash when its person signs in. */
export function hashWeakly(password: string): string {
  const nonce = randomBytes(16);
  const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
  const hash = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=64,t=1,p=1$${encode(nonce)}$${encode(hash)}`;
}

/** The header of a request that a page of the same server makes. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

type Request = InjectOptions & { url: string };

/** Makes an account with a person of this role, who has a password. */
export async function addPerson(
  service: TestApp,
  {
    role = 'agent',
    slug = `people-${randomBytes(6).toString('hex')}`,
  }: { role?: Role; slug?: string } = {},
) {
  const email = `${randomBytes(6).toString('hex')}@people.example`;
  await service.load({
    ...accountFile(slug),
    users: [{ email, name: 'Hana', role }],
  });
  const accountId = await accountIdOf(service.db, { slug });
  const [row] = await readRows<{ id: string }>(
    service.db,
    'update users set password = $1 where account_id = $2 and email = $3 returning id',
    [await hash, accountId, email],
  );
  return { slug, email, accountId, id: row?.id ?? '' };
}

export type TestPerson = Awaited<ReturnType<typeof addPerson>>;

/** The cookie that an answer sets, as a browser sends it back; undefined when it sets none. */
export function cookieOf({ headers }: Answer): string | undefined {
  return (headers['set-cookie'] as string | undefined)?.split(';', 1)[0];
}

/** Starts a session as a sign-in does, without the hash of a password: that takes longer than most tests. Returns the cookie. */
export async function openSession(
  { db }: TestApp,
  { accountId, id }: Pick<TestPerson, 'accountId' | 'id'>,
): Promise<string> {
  const device = { address: '127.0.0.1', userAgent: 'lightMyRequest' };
  const options = { now: new Date(), isDemo: false };
  const token = await runInTransaction(db, (tx) =>
    completeSignIn(tx, accountId, id, device, options),
  );
  return `offplan=${token}`;
}

/** Signs in, and returns the cookie. */
export async function signIn(
  service: TestApp,
  { slug, email }: Pick<TestPerson, 'slug' | 'email'>,
): Promise<string> {
  const payload = { account: slug, email, password: PASSWORD };
  const answer = await service.send({ method: 'POST', url: '/api/v1/sign-in', payload });
  assert.equal(answer.status, 200, answer.text);
  return cookieOf(answer) ?? assert.fail('no cookie');
}

/** Sends requests with the cookie of a session, as a page of the same server does. */
export const browser =
  (service: TestApp, cookie: string) =>
  (request: Request): Promise<Answer> =>
    service.send({ ...request, headers: { cookie, ...SAME_ORIGIN, ...request.headers } });

/** Creates a function that returns the cookie of a person's session. It signs in again when a request has ended the session. */
export function keepSignedIn(service: TestApp, person: TestPerson): () => Promise<string> {
  let cookie = '';
  return async () => {
    const { status } = await service.send({ url: '/api/v1/me', headers: { cookie } });
    if (status === 401) cookie = await openSession(service, person);
    return cookie;
  };
}
