import assert from 'node:assert/strict';
import { after, afterEach, mock, test } from 'node:test';
import { invitePerson } from '../src/users/index.ts';
import { passTime } from './support/clock.ts';
import { build, type Answer } from './support/harness.ts';
import {
  addPerson,
  browser,
  cookieOf,
  hashWeakly,
  PASSWORD,
  type TestPerson,
} from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const MINUTE_MS = 60_000;
const SIGN_IN = '/api/v1/sign-in';

afterEach(() => mock.timers.reset());

let count = 0;
/** Makes an address that no attempt has come from. */
const newAddress = (): string => `10.9.${(count += 1) >> 8}.${count & 255}`;

const attempt = (
  { slug, email }: Pick<TestPerson, 'slug' | 'email'>,
  remoteAddress: string,
  password = 'wrong',
): Promise<Answer> =>
  service.send({
    method: 'POST',
    url: SIGN_IN,
    payload: { account: slug, email, password },
    remoteAddress,
  });

/** Stores a hash of the password that takes little time to check. Signing in replaces it. */
async function storeWeakHash(person: TestPerson): Promise<TestPerson> {
  const values = [hashWeakly(PASSWORD), person.id];
  await run(service.db, 'update users set password = $1 where id = $2', values);
  return person;
}

async function fail(times: number, work: () => Promise<Answer>): Promise<void> {
  for (let n = 0; n < times; n += 1) assertProblem(await work(), 'sign_in_failed', SIGN_IN);
}

/** Checks the 429 of a limit that ends in this many minutes, or in up to three less: a hundred attempts can take a minute. */
function assertLimited(answer: Answer, minutes: number): void {
  assertProblem(answer, 'too_many_attempts', SIGN_IN);
  const seconds = Number(answer.headers['retry-after']);
  assert.ok(seconds > (minutes - 3) * 60 && seconds <= minutes * 60, String(seconds));
}

test('ten wrong passwords in 15 minutes end the attempts on a person from an address, for the right one, too', async () => {
  const person = await storeWeakHash(await addPerson(service));
  const [here, there] = [newAddress(), newAddress()];
  await fail(10, () => attempt(person, here));
  assertLimited(await attempt(person, here), 15);
  assertLimited(await attempt(person, here, PASSWORD), 15);
  assert.equal((await attempt(person, there, PASSWORD)).status, 200);
  assert.equal((await attempt(await addPerson(service), here, PASSWORD)).status, 200);
  passTime(15 * MINUTE_MS + 1);
  assert.equal((await attempt(person, here, PASSWORD)).status, 200);
});

test('an unknown email has the same limit', async () => {
  const nobody = { slug: 'nobody', email: 'nobody@people.example' };
  const here = newAddress();
  await fail(10, () => attempt(nobody, here));
  assertLimited(await attempt(nobody, here), 15);
});

test('many attempts at once are no way around the limit', async () => {
  const person = await addPerson(service);
  const here = newAddress();
  const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(person, here)));
  assert.equal(answers.filter(({ status }) => status === 401).length, 10);
  assert.equal(answers.filter(({ status }) => status === 429).length, 20);
});

test('the right password does not count', async () => {
  const person = await storeWeakHash(await addPerson(service));
  const here = newAddress();
  await fail(9, () => attempt(person, here));
  for (let n = 0; n < 3; n += 1) assert.equal((await attempt(person, here, PASSWORD)).status, 200);
  await fail(1, () => attempt(person, here));
  assertLimited(await attempt(person, here, PASSWORD), 15);
});

test('60 wrong ones in 15 minutes end the attempts from an address, or from an IPv6 /64 network', async () => {
  const person = await addPerson(service);
  for (const address of [() => '10.8.0.1', () => `2001:db8::${(count += 1).toString(16)}`]) {
    const nobody = { slug: 'nobody', email: `${(count += 1)}@people.example` };
    await fail(10, () => attempt(nobody, address()));
    for (let n = 0; n < 5; n += 1) {
      const other = await storeWeakHash(await addPerson(service));
      await fail(10, () => attempt(other, address()));
    }
    assertLimited(await attempt(person, address(), PASSWORD), 15);
  }
});

test('100 wrong ones in an hour end the attempts on a person, except from where they signed in within 30 days', async () => {
  const person = await addPerson(service);
  const home = newAddress();
  assert.equal((await attempt(person, home, PASSWORD)).status, 200);
  await storeWeakHash(person);
  await fail(100, () => attempt(person, newAddress()));
  assertLimited(await attempt(person, newAddress(), PASSWORD), 60);
  assert.equal((await attempt(person, home, PASSWORD)).status, 200);
  const now = Date.now() + 30 * 24 * 60 * MINUTE_MS + 1;
  mock.timers.enable({ apis: ['Date'], now });
  assertLimited(await attempt(person, home, PASSWORD), 60);
  passTime(55 * MINUTE_MS);
  // An attempt that is refused for this limit counts against no other one.
  const late = newAddress();
  for (let n = 0; n < 10; n += 1) assertLimited(await attempt(person, late), 5);
  passTime(5 * MINUTE_MS + 1);
  assert.equal((await attempt(person, late, PASSWORD)).status, 200);
});

test('wrong passwords of a person who is signed in count, too', async () => {
  const person = await addPerson(service);
  const here = newAddress();
  const cookie = cookieOf(await attempt(person, here, PASSWORD)) ?? '';
  const url = '/api/v1/me/confirm';
  const confirm = (password: string): Promise<Answer> =>
    browser(service, cookie)({ method: 'POST', url, payload: { password }, remoteAddress: here });
  for (let n = 0; n < 5; n += 1) assertProblem(await confirm('x'), 'sign_in_failed', url);
  await fail(5, () => attempt(person, here));
  assertProblem(await confirm(PASSWORD), 'too_many_attempts', url);
  assertLimited(await attempt(person, here, PASSWORD), 15);
});

test('60 wrong links in 15 minutes end the attempts from an address', async () => {
  const remoteAddress = newAddress();
  const { accountId, email } = await addPerson(service);
  const { token } = await invitePerson(service.db, accountId, { email, role: 'agent' });
  const open = (text: string): Promise<Answer> =>
    service.send({
      method: 'POST',
      url: '/api/v1/links/open',
      payload: { token: text },
      remoteAddress,
    });
  for (let n = 0; n < 60; n += 1)
    assertProblem(await open('x'), 'link_not_valid', '/api/v1/links/open');
  assertProblem(await open(token), 'too_many_attempts', '/api/v1/links/open');
});
