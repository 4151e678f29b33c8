import assert from 'node:assert/strict';
import { after, afterEach, mock, test } from 'node:test';
import pino from 'pino';
import { runInTransaction } from '../src/platform/database/index.ts';
import { resetPerson } from '../src/users/index.ts';
import { moveClockTo } from './support/clock.ts';
import { build, SETTINGS, type Answer } from './support/harness.ts';
import { buildApp } from './support/internals.ts';
import { someoneWaits } from './support/locks.ts';
import {
  addPerson,
  browser,
  cookieOf,
  openSession,
  PASSWORD,
  type TestPerson,
} from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { readRows, run } from './support/sql.ts';
import { codeOf, readBase32, STEP_MS } from './support/totp.ts';

const service = await build({ after });
const { db } = service;
const SIGN_IN = '/api/v1/sign-in';
const SECOND_STEP = '/api/v1/me/second-step';

afterEach(() => mock.timers.reset());

/** Moves the clock to the start of the step so many steps from now. */
function moveSteps(steps: number): void {
  const now = (Math.floor(Date.now() / STEP_MS) + steps) * STEP_MS;
  moveClockTo(now);
}

const attempt = ({ slug, email }: TestPerson, more: object): Promise<Answer> =>
  service.send({
    method: 'POST',
    url: SIGN_IN,
    payload: { account: slug, email, password: PASSWORD, ...more },
  });

const confirm = (send: ReturnType<typeof browser>, code: string): Promise<Answer> =>
  send({ method: 'POST', url: `${SECOND_STEP}/confirm`, payload: { code } });

/** A person whose second step is on, and a browser in which they are signed in. */
async function secured(place: { slug?: string } = {}) {
  moveSteps(0);
  const person = await addPerson(service, place);
  const send = browser(service, await openSession(service, person));
  const { body } = await send({ method: 'POST', url: SECOND_STEP });
  const { secret, url } = body as { secret: string; url: string };
  const { body: confirmed, text } = await confirm(send, codeOf(secret));
  assert.ok(confirmed.recoveryCodes, text);
  return { person, send, secret, url, recoveryCodes: confirmed.recoveryCodes as string[] };
}

test('the second step is on once a code of the app was sent', async () => {
  moveSteps(0);
  const person = await addPerson(service);
  const send = browser(service, await openSession(service, person));
  assertProblem(await confirm(send, '123456'), 'sign_in_failed', `${SECOND_STEP}/confirm`);
  const { body } = await send({ method: 'POST', url: SECOND_STEP });
  assert.match(body.secret, /^[A-Z2-7]{32}$/);
  assert.ok(body.url.startsWith('otpauth://totp/T%C5%AB%C4%AB%20Ridge:'), body.url);
  assert.ok(body.url.includes(`secret=${body.secret}`));
  assert.equal((await attempt(person, {})).status, 200);
  const wrong = String((Number(codeOf(body.secret)) + 1) % 1_000_000).padStart(6, '0');
  const refused = await confirm(send, wrong);
  assertProblem(refused, 'sign_in_failed', `${SECOND_STEP}/confirm`);
  assert.match(refused.body.detail, /^The code is not one that the app shows/);
  assert.equal((await send({ url: '/api/v1/me' })).body.user.secondStep, false);
  const { status, body: on } = await confirm(send, codeOf(body.secret));
  assert.equal(status, 200);
  assert.equal(new Set(on.recoveryCodes).size, 10);
  assert.equal((await send({ url: '/api/v1/me' })).body.user.secondStep, true);
});

test('signing in then takes the password and a code, each code once', async () => {
  const { person, secret } = await secured();
  assertProblem(await attempt(person, {}), 'second_step_required', SIGN_IN);
  // A wrong password says nothing about the second step.
  assertProblem(await attempt(person, { password: 'wrong' }), 'sign_in_failed', SIGN_IN);
  // The code that turned it on is used up.
  assertProblem(await attempt(person, { code: codeOf(secret) }), 'sign_in_failed', SIGN_IN);
  moveSteps(1);
  const code = codeOf(secret);
  assert.equal((await attempt(person, { code })).status, 200);
  assertProblem(await attempt(person, { code }), 'sign_in_failed', SIGN_IN);
});

test('a code works one step early and late, and not two', async () => {
  const { person, secret } = await secured();
  moveSteps(10);
  assertProblem(await attempt(person, { code: codeOf(secret, -2) }), 'sign_in_failed', SIGN_IN);
  assertProblem(await attempt(person, { code: codeOf(secret, 2) }), 'sign_in_failed', SIGN_IN);
  assert.equal((await attempt(person, { code: codeOf(secret, -1) })).status, 200);
  assert.equal((await attempt(person, { code: codeOf(secret, 1) })).status, 200);
  // A code from before one that was used is too old.
  assertProblem(await attempt(person, { code: codeOf(secret) }), 'sign_in_failed', SIGN_IN);
});

test('of several requests with one code, one signs in', async () => {
  const { person, secret } = await secured();
  moveSteps(3);
  const code = codeOf(secret);
  const answers = await Promise.all([1, 2, 3].map(() => attempt(person, { code })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('a recovery code works once, in any case and with or without the hyphen', async () => {
  const { person, recoveryCodes } = await secured();
  const [first = '', second = ''] = recoveryCodes;
  assert.equal((await attempt(person, { code: first })).status, 200);
  assertProblem(await attempt(person, { code: first }), 'sign_in_failed', SIGN_IN);
  const code = second.toUpperCase().replace('-', ' ');
  assert.equal((await attempt(person, { code })).status, 200);
});

test('neither a recovery code nor a stored secret is of use to another person of the account', async () => {
  const { person, secret, recoveryCodes } = await secured();
  const other = await secured({ slug: person.slug });
  const attemptAsOther = (code = '') => attempt(other.person, { code });
  assertProblem(await attemptAsOther(recoveryCodes[0]), 'sign_in_failed', SIGN_IN);
  assert.equal((await attempt(person, { code: recoveryCodes[0] })).status, 200);
  moveSteps(2);
  assertProblem(await attemptAsOther(codeOf(secret)), 'sign_in_failed', SIGN_IN);
  const [stored] = await readRows<{ secret: Buffer }>(
    db,
    'select secret from second_steps where user_id = $1',
    [person.id],
  );
  await run(db, 'update second_steps set secret = $1 where user_id = $2', [
    stored?.secret,
    other.person.id,
  ]);
  assertProblem(await attemptAsOther(codeOf(secret)), 'unavailable', SIGN_IN);
});

test('wrong codes are limited as wrong passwords are', async () => {
  const { person, secret } = await secured();
  moveSteps(2);
  for (let n = 0; n < 10; n += 1)
    assertProblem(await attempt(person, { code: `x${n}` }), 'sign_in_failed', SIGN_IN);
  assertProblem(await attempt(person, { code: codeOf(secret) }), 'too_many_attempts', SIGN_IN);
});

test('wrong codes that would turn the second step on are limited, too, and a missing code is none', async () => {
  const { person } = await secured();
  for (let n = 0; n < 11; n += 1)
    assertProblem(await attempt(person, {}), 'second_step_required', SIGN_IN);
  const other = await addPerson(service);
  const send = browser(service, await openSession(service, other));
  const { body } = await send({ method: 'POST', url: SECOND_STEP });
  const url = `${SECOND_STEP}/confirm`;
  for (let n = 0; n < 10; n += 1)
    assertProblem(await confirm(send, `x${n}`), 'sign_in_failed', url);
  assertProblem(await confirm(send, codeOf(body.secret)), 'too_many_attempts', url);
});

test('of several requests that turn the second step on with one code, one does, and its recovery codes work', async () => {
  moveSteps(0);
  const person = await addPerson(service);
  const send = browser(service, await openSession(service, person));
  const { body } = await send({ method: 'POST', url: SECOND_STEP });
  const code = codeOf(body.secret);
  const answers = await Promise.all([1, 2, 3].map(() => confirm(send, code)));
  const [on, ...more] = answers.filter(({ status }) => status === 200);
  assert.deepEqual(more, []);
  assertProblem(await attempt(person, {}), 'second_step_required', SIGN_IN);
  assert.equal((await attempt(person, { code: on?.body.recoveryCodes[0] })).status, 200);
});

test('a session is confirmed with a code, too; without one for 15 minutes the second step stays', async () => {
  const { person, send, secret } = await secured();
  moveSteps(31);
  const off = { method: 'DELETE', url: SECOND_STEP } as const;
  assertProblem(await send(off), 'confirmation_required', SECOND_STEP);
  assertProblem(
    await send({ method: 'POST', url: SECOND_STEP }),
    'confirmation_required',
    SECOND_STEP,
  );
  const url = '/api/v1/me/confirm';
  const prove = (payload: object): Promise<Answer> => send({ method: 'POST', url, payload });
  assertProblem(await prove({ password: PASSWORD }), 'second_step_required', url);
  const { detail } = assertProblem(
    await prove({ password: PASSWORD, code: 'x' }),
    'sign_in_failed',
    url,
  );
  assert.match(detail, /^The code is not/);
  assert.equal((await prove({ password: PASSWORD, code: codeOf(secret) })).status, 204);
  assert.equal((await send(off)).status, 204);
  assert.equal((await attempt(person, {})).status, 200);
});

test('a new secret takes the place of the old one when it is confirmed, not before', async () => {
  const { person, send, secret } = await secured();
  const { body } = await send({ method: 'POST', url: SECOND_STEP });
  moveSteps(1);
  assertProblem(await attempt(person, { code: codeOf(body.secret) }), 'sign_in_failed', SIGN_IN);
  assert.equal((await confirm(send, codeOf(body.secret))).status, 200);
  moveSteps(2);
  assertProblem(await attempt(person, { code: codeOf(secret) }), 'sign_in_failed', SIGN_IN);
  assert.equal((await attempt(person, { code: codeOf(body.secret) })).status, 200);
});

test('a reset keeps the second step, unless it is to remove it', async () => {
  const { person } = await secured();
  for (const isRemoved of [false, true]) {
    const { token } =
      (await resetPerson(db, person.accountId, person.email, { removeSecondStep: isRemoved })) ??
      {};
    const payload = { token, password: PASSWORD };
    const answer = await service.send({ method: 'POST', url: '/api/v1/links/accept', payload });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(cookieOf(answer));
    assert.equal((await attempt(person, {})).status, isRemoved ? 200 : 401);
  }
});

test('a reset removes the second step also while the person turns it off', async () => {
  const { person, send } = await secured();
  const { token } =
    (await resetPerson(db, person.accountId, person.email, { removeSecondStep: true })) ?? {};
  const payload = { token, password: PASSWORD };
  // Both wait for the row of the second step, and each for the other after that if they lock in opposite orders.
  const sent = await runInTransaction(db, async (tx) => {
    const lockStep = 'select from second_steps where account_id = $1 and user_id = $2 for update';
    await tx.query({ name: '', text: lockStep, values: [person.accountId, person.id] });
    const off = send({ method: 'DELETE', url: SECOND_STEP });
    await someoneWaits(db);
    const reset = service.send({ method: 'POST', url: '/api/v1/links/accept', payload });
    await someoneWaits(db, 2);
    return [off, reset];
  });
  assert.deepEqual(
    (await Promise.all(sent)).map(({ status }) => status),
    [204, 200],
  );
});

test('neither a secret nor a recovery code is stored or logged as it is', async () => {
  const { secret, recoveryCodes } = await secured();
  const rows = await readRows<{ row: string }>(
    db,
    'select s::text as row from second_steps s union all select r::text from recovery_codes r',
  );
  const text = JSON.stringify(rows) + service.log.join('\n');
  assert.ok(rows.length > 10);
  // PostgreSQL prints bytes in hex.
  for (const each of [secret, ...recoveryCodes]) {
    const plain = each.replace('-', '');
    const bytes = [each, plain].map((form) => Buffer.from(form));
    const forms = [...bytes, readBase32(plain.toUpperCase())].map((form) => form.toString('hex'));
    for (const form of [each, plain, ...forms]) assert.ok(!text.includes(form), form);
  }
});

test('without OFFPLAN_SECRET_KEY, and with another one, the answer is a 503 that names it', async (t) => {
  const { person, secret } = await secured();
  const plain = await addPerson(service);
  moveSteps(2);
  for (const secretKey of [null, Buffer.alloc(32)]) {
    const logger = pino({ level: 'silent' });
    const app = await buildApp({ config: SETTINGS, db, logger, secretKey });
    t.after(() => app.close());
    const send = async (payload: object) => app.inject({ method: 'POST', url: SIGN_IN, payload });
    const { slug: account, email } = person;
    const refused = await send({ account, email, password: PASSWORD, code: codeOf(secret) });
    assert.equal(refused.statusCode, 503);
    assert.match(refused.payload, /OFFPLAN_SECRET_KEY/);
    const others = { account: plain.slug, email: plain.email, password: PASSWORD };
    assert.equal((await send(others)).statusCode, 200);
  }
});
