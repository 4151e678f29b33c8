import assert from 'node:assert/strict';
import { after, afterEach, describe, mock, test } from 'node:test';
import type { Role } from '../src/access/index.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { createLink, invitePerson, resetPerson } from '../src/users/index.ts';
import { expireLookUps } from './support/clock.ts';
import { build, type Answer } from './support/harness.ts';
import { mistyped } from './support/keys.ts';
import {
  addPerson,
  browser,
  cookieOf,
  PASSWORD,
  openSession,
  type TestPerson,
} from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { readRows, run } from './support/sql.ts';

const service = await build({ after });
const { db } = service;
const API = '/api/v1';
const NEXT = 'a ruru calls at dusk';
const HOUR_MS = 60 * 60 * 1_000;

afterEach(() => mock.timers.reset());

const post = (path: string, payload: object): Promise<Answer> =>
  service.send({ method: 'POST', url: `${API}${path}`, payload });
const open = (token: string): Promise<Answer> => post('/links/open', { token });
const accept = (token: string, more: object = { password: NEXT }): Promise<Answer> =>
  post('/links/accept', { token, ...more });

async function assertNotValid(token: string): Promise<void> {
  assertProblem(await open(token), 'link_not_valid', `${API}/links/open`);
  assertProblem(await accept(token), 'link_not_valid', `${API}/links/accept`);
}

const invite = async ({ accountId, email }: TestPerson, role: Role = 'agent'): Promise<string> =>
  (await invitePerson(db, accountId, { email, role })).token;
const reset = async ({ accountId, email }: TestPerson): Promise<string> =>
  (await resetPerson(db, accountId, email))?.token ?? assert.fail('no such person');
const start = async (accountId: string, userId: string | null = null): Promise<string> =>
  (await runInTransaction(db, (tx) => createLink(tx, accountId, 'start', userId))).token;

const statusOf = async (cookie: string | undefined): Promise<number> =>
  (await service.send({ url: `${API}/me`, headers: { cookie: cookie ?? '' } })).status;

function countStatuses(answers: Answer[]): Record<number, number> {
  const byStatus = Object.entries(Object.groupBy(answers, ({ status }) => status));
  return Object.fromEntries(byStatus.map(([status, each]) => [status, each?.length ?? 0]));
}

describe('a link', () => {
  test('to an invitation says whose it is, and lets the person choose a password and sign in', async () => {
    const person = await addPerson(service, { role: 'manager' });
    await run(db, 'update users set password = null where id = $1', [person.id]);
    const token = await invite(person, 'manager');
    const { body } = await open(token);
    assert.deepEqual(
      { ...body, expiresAt: '' },
      {
        kind: 'invite',
        account: { slug: person.slug, displayName: 'Tūī Ridge' },
        email: person.email,
        name: 'Hana',
        expiresAt: '',
      },
    );
    const days = (Date.parse(body.expiresAt) - Date.now()) / (24 * HOUR_MS);
    assert.ok(days > 6.99 && days <= 7);
    const answer = await accept(token);
    assert.deepEqual([answer.status, answer.body.user.id], [200, person.id], answer.text);
    assert.equal(await statusOf(cookieOf(answer)), 200);
    const { slug: account, email } = person;
    assert.equal((await post('/sign-in', { account, email, password: NEXT })).status, 200);
    await assertNotValid(token);
  });

  test('to an invitation takes the name that the person gives, and one to a reset does not', async () => {
    const person = await addPerson(service, { role: 'agent' });
    const nameOf = ({ status, body, text }: Answer) => {
      assert.equal(status, 200, text);
      return body.user.name;
    };
    assert.equal(nameOf(await accept(await invite(person))), 'Hana');
    const named = { password: NEXT, name: 'Tui Rangi' };
    const other = { password: NEXT, name: 'Somebody Else' };
    assert.equal(nameOf(await accept(await invite(person), named)), 'Tui Rangi');
    assert.equal(nameOf(await accept(await reset(person), other)), 'Tui Rangi');
    const rows = await readRows(
      db,
      `select before ->> 'name' as before, after ->> 'name' as after, actor_id from changes
        where account_id = $1 and subject = $2 and after ->> 'name' is not null order by sequence`,
      [person.accountId, person.id],
    );
    assert.deepEqual(rows.at(-1), { before: 'Hana', after: 'Tui Rangi', actor_id: person.id });
  });

  test('is used by one of two requests at once', async () => {
    const token = await invite(await addPerson(service));
    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 2 });
  });

  test('is void once there is a newer one for the person, whatever its kind', async () => {
    const person = await addPerson(service);
    const [first, second] = [await invite(person), await reset(person)];
    await assertNotValid(first);
    assert.equal((await open(second)).body.kind, 'reset');
    assert.equal((await open(await invite(await addPerson(service)))).status, 200);
    assert.equal((await open(second)).status, 200);
  });

  test('is void once its person has changed their password', async () => {
    for (const make of [reset, invite]) {
      const person = await addPerson(service);
      const token = await make(person);
      const send = browser(service, await openSession(service, person));
      const payload = { current: PASSWORD, password: NEXT };
      const { status } = await send({ method: 'POST', url: `${API}/me/password`, payload });
      assert.equal(status, 204);
      await assertNotValid(token);
    }
  });

  for (const [kind, hours] of [
    ['start', 1],
    ['reset', 24],
    ['invite', 7 * 24],
  ] as const)
    test(`of the kind ${kind} ends after ${hours} hours`, async () => {
      const person = await addPerson(service);
      const make = { start: () => start(person.accountId), invite, reset }[kind];
      const token = await make(person);
      const madeMs = Date.now();
      mock.timers.enable({ apis: ['Date'], now: madeMs + hours * HOUR_MS - 5_000 });
      assert.equal((await open(token)).status, 200);
      mock.timers.setTime(madeMs + hours * HOUR_MS + 1);
      await assertNotValid(token);
    });

  test('that is mistyped, unknown, of another kind of token, or of an inactive person is not valid', async () => {
    const person = await addPerson(service);
    const token = await invite(person);
    const cookie = await openSession(service, await addPerson(service));
    for (const each of ['', 'x', mistyped(token), cookie.split('=')[1] ?? '', `${token}a`])
      await assertNotValid(each);
    await run(db, 'update users set active = false where id = $1', [person.id]);
    await assertNotValid(token);
  });

  test('stays when the password is missing or too weak', async () => {
    const token = await invite(await addPerson(service));
    const url = `${API}/links/accept`;
    assertProblem(await accept(token, {}), 'invalid_request', url);
    assertProblem(await accept(token, { password: 'short' }), 'password_too_weak', url);
    assert.equal((await accept(token)).status, 200);
  });

  test('to a reset ends all sessions', async () => {
    const person = await addPerson(service);
    const cookie = await openSession(service, person);
    const token = await reset(person);
    assert.equal(await statusOf(cookie), 200);
    assert.equal((await accept(token)).status, 200);
    assert.equal(await statusOf(cookie), 401);
    const { slug: account, email } = person;
    const old = await post('/sign-in', { account, email, password: PASSWORD });
    assert.equal(old.status, 401);
  });

  test('is stored as a hash alone', async () => {
    const token = await invite(await addPerson(service));
    const rows = await readRows<{ row: string }>(db, 'select l::text as row from sign_in_links l');
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(token.slice(13, 40)));
    await open(token);
    assert.ok(!service.log.join('\n').includes(token.slice(13, 40)));
  });
});

describe('the start link of an account', () => {
  const owner = { email: 'mele@people.example', name: 'Mele', password: NEXT };

  test('makes the first owner, who needs an email, a name and a password', async () => {
    const { accountId } = await addPerson(service);
    const token = await start(accountId);
    assert.deepEqual((await open(token)).body.email, null);
    const { errors } = assertProblem(
      await accept(token, {}),
      'invalid_request',
      `${API}/links/accept`,
    );
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/email', '/name'],
    );
    const { status, body, text } = await accept(token, owner);
    assert.equal(status, 200, text);
    assert.deepEqual([body.role, body.user.email, body.user.name], ['owner', owner.email, 'Mele']);
  });

  test('makes somebody an owner who is there already, and keeps their id', async () => {
    const person = await addPerson(service, { role: 'viewer' });
    const { body } = await accept(await start(person.accountId), { ...owner, email: person.email });
    assert.deepEqual([body.user.id, body.role], [person.id, 'owner']);
  });

  test('is void once an owner has a password', async () => {
    const { slug, accountId } = await addPerson(service);
    const token = await start(accountId);
    assert.equal((await open(token)).status, 200);
    await addPerson(service, { slug, role: 'owner' });
    await assertNotValid(token);
  });

  test('makes one owner when several use it, or two of them, at once', async () => {
    const { accountId } = await addPerson(service);
    const older = await start(accountId);
    const [row] = await readRows<{ link: string }>(
      db,
      'select row_to_json(l)::text as link from sign_in_links l where account_id = $1',
      [accountId],
    );
    const token = await start(accountId);
    // Two processes that start at once make two links.
    await run(
      db,
      'insert into sign_in_links select * from json_populate_record(null::sign_in_links, $1::json)',
      [row?.link],
    );
    const people = ['a', 'b', 'c'].map((each) => ({ ...owner, email: `${each}@people.example` }));
    const answers = await Promise.all(
      people.flatMap((each) => [accept(token, each), accept(older, each)]),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 5 });
    const owners = await readRows(
      db,
      `select 1 from users where account_id = $1 and role = 'owner'`,
      [accountId],
    );
    assert.equal(owners.length, 1);
  });

  test('signs the owner of a demo in without a password', async () => {
    const person = await addPerson(service, { role: 'owner' });
    const token = await start(person.accountId, person.id);
    const { status, body, text } = await accept(token, {});
    assert.equal(status, 200, text);
    assert.deepEqual([body.user.id, body.session.confirmedAt], [person.id, null]);
    await assertNotValid(token);
  });
});

test('an invitation cannot take the role of the last owner away', async () => {
  const person = await addPerson(service, { role: 'owner' });
  await assert.rejects(invite(person, 'agent'), { code: 'last_owner' });
  await addPerson(service, { slug: person.slug, role: 'owner' });
  await invite(person, 'agent');
  expireLookUps();
  const rows = await readRows(db, 'select role from users where id = $1', [person.id]);
  assert.deepEqual(rows, [{ role: 'agent' }]);
});
