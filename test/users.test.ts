import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { SCOPES, type Role, type Scope } from '../src/access/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { accountFile } from './support/accounts.ts';
import { expireLookUps } from './support/clock.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build, type Answer } from './support/harness.ts';
import { endWaiting, someoneWaits, whileEmailsLocked } from './support/locks.ts';
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
import { until } from './support/until.ts';

const service = await build({ after }, { publicUrl: 'https://crm.example.com' });
const { db } = service;
const USERS = '/api/v1/users';

type Send = ReturnType<typeof browser>;

/** An owner who is signed in, and what they send. */
async function openAccount(role: Role = 'owner') {
  const me = await addPerson(service, { role });
  const send = browser(service, await openSession(service, me));
  return { me, ...callsOf(send) };
}

function callsOf(send: Send) {
  const post = (path: string, payload?: object, headers = {}): Promise<Answer> =>
    send({ method: 'POST', url: `${USERS}${path}`, headers, ...(payload && { payload }) });
  const patch = (id: string, payload: object, headers = {}): Promise<Answer> =>
    send({ method: 'PATCH', url: `${USERS}/${id}`, payload, headers });
  const get = (path = ''): Promise<Answer> => send({ url: `${USERS}${path}` });
  async function add(role: Role = 'agent', more: object = {}): Promise<Answer['body']> {
    const answer = await post('', { ...newcomer(), role, ...more });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }
  return { send, post, patch, get, add };
}

const newcomer = () => ({
  email: `${randomBytes(6).toString('hex')}@people.example`,
  name: 'Wiremu Pou',
  role: 'agent',
});

/** Uses a link as its person would. Returns the cookie of their session. */
async function accept(url: string): Promise<string> {
  const payload = { token: url.split('#')[1], password: PASSWORD };
  const answer = await service.send({ method: 'POST', url: '/api/v1/links/accept', payload });
  assert.equal(answer.status, 200, answer.text);
  return cookieOf(answer) ?? assert.fail('no cookie');
}

const statusOf = async (cookie: string): Promise<number> =>
  (await service.send({ url: '/api/v1/me', headers: { cookie } })).status;

const keyWith = ({ accountId }: TestPerson, scopes: Scope[]): Promise<string> =>
  issueKey(db, accountId, { name: 'test', scopes });

/** Sends requests with an API key. */
const program =
  (key: string): Send =>
  (request) =>
    service.send({ ...request, key });

describe('a person who is added', () => {
  test('has a Location, an ETag, and an invitation by which they sign in', async () => {
    const { post, get } = await openAccount();
    const body = newcomer();
    const answer = await post('', body);
    assert.equal(answer.status, 201, answer.text);
    const { invitation, ...person } = answer.body;
    assert.equal(answer.headers['location'], `${USERS}/${person.id}`);
    assert.equal(answer.headers['etag'], person.etag);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { id: _id, createdAt, updatedAt, invitedUntil, ...shown } = person;
    assert.equal(invitedUntil, invitation.expiresAt);
    assert.deepEqual(shown, {
      ...body,
      active: true,
      secondStep: false,
      signedInAt: null,
      etag: '"1"',
    });
    assert.ok(Date.parse(createdAt) <= Date.parse(updatedAt));
    assert.match(invitation.url, /^https:\/\/crm\.example\.com\/a\/[\w-]+\/invite#offplan_link_/);
    assert.deepEqual((await get(`/${person.id}`)).body, person);
    assert.equal(await statusOf(await accept(invitation.url)), 200);
    assert.equal((await get(`/${person.id}`)).body.invitedUntil, null);
  });

  test('cannot have the email of another one, active or not', async () => {
    const { post, add } = await openAccount();
    const { id, email } = await add();
    const again = { ...newcomer(), email: email.toUpperCase() };
    assertProblem(await post('', again), 'user_email_taken', USERS);
    await post(`/${id}/deactivate`, { reassignTo: null });
    assertProblem(await post('', again), 'user_email_taken', USERS);
  });

  test('needs an email, a name and a role, and nothing else', async () => {
    const { post } = await openAccount();
    for (const [body, pointer] of [
      [{ name: 'x', role: 'agent' }, '/email'],
      [{ ...newcomer(), email: 'x' }, '/email'],
      [{ ...newcomer(), name: ' ' }, '/name'],
      [{ ...newcomer(), name: 'x'.repeat(1_001) }, '/name'],
      [{ ...newcomer(), name: 'a\0b' }, '/name'],
      [{ ...newcomer(), role: 'admin' }, '/role'],
      [{ ...newcomer(), active: false }, '/active'],
    ] as const) {
      const answer = await post('', body);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
  });

  test('is added once for an Idempotency-Key, whose repeat does not show the link again', async () => {
    const { post, get } = await openAccount();
    const body = newcomer();
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const answers = await Promise.all([post('', body, headers), post('', body, headers)]);
    const created = answers.find(({ status }) => status === 201) ?? assert.fail('none created');
    const repeat = answers.find((each) => each !== created) ?? assert.fail('no repeat');
    assertProblem(repeat, 'secret_shown_once', USERS);
    assert.equal(repeat.headers['location'], `${USERS}/${created.body.id}`);
    assert.equal((await get('?q=wiremu')).body.data.length, 1);
    assertProblem(await post('', newcomer(), headers), 'idempotency_key_reused', USERS);
    const rows = await readRows<{ body: string }>(
      db,
      'select body from idempotency_keys where key = $1',
      [headers['idempotency-key']],
    );
    assert.ok(!JSON.stringify(rows).includes('offplan_link_'));
  });

  test('is not remembered by the Idempotency-Key of a request that was refused', async () => {
    const { post } = await openAccount();
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    assert.equal((await post('', { ...newcomer(), role: 'x' }, headers)).status, 400);
    assert.equal((await post('', newcomer(), headers)).status, 201);
  });

  test('is refused when the account has 1,000 people who are active', async () => {
    const { me, post, add } = await openAccount();
    const { id } = await add();
    await run(
      db,
      `insert into users (account_id, id, email, email_key, name, active)
        select $1, gen_random_uuid(), n || '@many.example', n || '@many.example', 'x', true
        from generate_series(3, 1000) n`,
      [me.accountId],
    );
    assertProblem(await post('', newcomer()), 'limit_reached', USERS);
    await post(`/${id}/deactivate`, { reassignTo: null });
    await add();
    const url = `/${id}/activate`;
    assertProblem(await post(url), 'limit_reached', `${USERS}${url}`);
  });
});

describe('the list of people', () => {
  test('pages by name, filters by role, active and words, and counts', async () => {
    const { me, add, get, post } = await openAccount();
    for (const name of ['Zoë Adams', 'āroha Ngata', 'Bea Smith']) await add('viewer', { name });
    const names = (answer: Answer) => answer.body.data.map((each: { name: string }) => each.name);
    const first = await get('?limit=2&count=true');
    assert.deepEqual(names(first), ['āroha Ngata', 'Bea Smith']);
    assert.deepEqual(
      [first.body.pagination.totalCount, first.body.pagination.totalCountIsExact],
      [4, true],
    );
    // A person who is added before the place of the cursor repeats nobody.
    await add('viewer', { name: 'Ab' });
    const second = await get(`?limit=2&cursor=${first.body.pagination.nextCursor}`);
    assert.deepEqual(names(second), ['Hana', 'Zoë Adams']);
    assert.equal(second.body.pagination.nextCursor, null);
    assert.deepEqual(names(await get('?role=owner,manager')), ['Hana']);
    assert.deepEqual(names(await get('?q=zoe%20ad')), ['Zoë Adams']);
    assert.deepEqual(names(await get(`?q=${me.email.slice(0, 5)}`)), ['Hana']);
    assert.deepEqual(names(await get('?q=ngat%20zoe')), []);
    const [{ id }] = (await get('?q=bea')).body.data;
    await post(`/${id}/deactivate`, { reassignTo: null });
    assert.deepEqual(names(await get('?active=false')), ['Bea Smith']);
    assert.deepEqual(names(await get('?sort=-createdAt&limit=1')), ['Ab']);
    for (const query of ['role=admin', 'sort=role', 'x=1', 'q=', 'active=1'])
      assert.equal((await get(`?${query}`)).status, 400, query);
    const other = `?sort=email&cursor=${first.body.pagination.nextCursor}`;
    assertProblem(await get(other), 'cursor_invalid', USERS);
  });

  test('and each person of it is a 304 while it has the ETag', async () => {
    const { add, send } = await openAccount();
    const { id, etag } = await add();
    const url = `${USERS}/${id}`;
    for (const header of [etag, `W/${etag}`, `"0", ${etag}`, '*']) {
      const { status, text, headers } = await send({ url, headers: { 'if-none-match': header } });
      assert.deepEqual([status, text, headers['etag']], [304, '', etag]);
    }
    assert.equal((await send({ url, headers: { 'if-none-match': '"0"' } })).status, 200);
  });
});

describe('a change of a person', () => {
  test('raises the version once, and a change of nothing does not', async () => {
    const { add, patch } = await openAccount();
    const { id, updatedAt } = await add();
    const changed = await patch(id, { name: 'Wī', role: 'viewer' });
    assert.deepEqual(
      [changed.body.name, changed.body.role, changed.body.etag, changed.headers['etag']],
      ['Wī', 'viewer', '"2"', '"2"'],
    );
    assert.ok(changed.body.updatedAt > updatedAt);
    assert.deepEqual((await patch(id, { name: 'Wī' })).body, changed.body);
    assert.deepEqual((await patch(id, {})).body, changed.body);
  });

  test('takes a merge patch, and no other type', async () => {
    const { add, patch } = await openAccount();
    const { id } = await add();
    const typed = (type: string) => patch(id, { name: type }, { 'content-type': type });
    assert.equal((await typed('application/merge-patch+json')).status, 200);
    const refused = await typed('application/json-patch+json');
    assertProblem(refused, 'unsupported_media_type', `${USERS}/${id}`);
    assert.match(String(refused.headers['accept-patch']), /merge-patch/);
  });

  test('of a field that nobody can write, or to nothing, is a 400 that names it', async () => {
    const { add, patch } = await openAccount();
    const { id } = await add();
    for (const [field, value] of Object.entries({ name: null, email: null, role: '', id, x: 1 })) {
      const { errors } = assertProblem(
        await patch(id, { [field]: value }),
        'invalid_request',
        `${USERS}/${id}`,
      );
      assert.equal(errors?.[0]?.pointer, `/${field}`);
    }
  });

  test('with a stale If-Match is a 412 with the person, and of 20 with one ETag one wins', async () => {
    const { add, patch } = await openAccount();
    const { id, etag } = await add();
    const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`);
    const answers = await Promise.all(
      names.map((name) => patch(id, { name }, { 'if-match': etag })),
    );
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    assert.ok(winner && others.length === 0);
    for (const answer of answers.filter((each) => each !== winner)) {
      const { etag: current } = answer.body;
      assertProblem(answer, 'precondition_failed', `${USERS}/${id}`);
      assert.deepEqual([current, answer.body.current], ['"2"', winner.body]);
    }
    assert.equal((await patch(id, { name: 'Next' }, { 'if-match': 'W/"2"' })).status, 200);
    assert.equal((await patch(id, { name: 'Any' }, { 'if-match': '*' })).status, 200);
    const answer = await patch(id, { name: 'x' }, { 'if-match': '2' });
    assert.equal(answer.body.errors[0].header, 'If-Match');
  });

  test('to the email of another one is refused; to a new one it ends the links to the old one', async () => {
    const { me, add, patch } = await openAccount();
    const { id, invitation } = await add();
    const url = `${USERS}/${id}`;
    assertProblem(await patch(id, { email: me.email }), 'user_email_taken', url);
    const { email } = newcomer();
    assert.equal((await patch(id, { email })).body.email, email);
    const payload = { token: invitation.url.split('#')[1] };
    const opened = await service.send({ method: 'POST', url: '/api/v1/links/open', payload });
    assertProblem(opened, 'link_not_valid', '/api/v1/links/open');
  });

  test('of the role takes effect at once', async () => {
    const { add, patch } = await openAccount();
    const { id, invitation } = await add('manager');
    const send = browser(service, await accept(invitation.url));
    const role = async () => (await send({ url: '/api/v1/me' })).body.role;
    assert.equal(await role(), 'manager');
    await patch(id, { role: 'viewer' });
    assert.equal(await role(), 'viewer');
  });
});

describe('the events', () => {
  test('say who added, changed, deactivated and activated a person, with the fields but without their values', async () => {
    const { me, post, add, patch } = await openAccount();
    const before = (await readEvents(db, me.accountId)).length;
    const { id } = await add();
    const { headers } = await patch(id, { name: 'Wī', role: 'viewer' });
    await patch(id, { name: 'Wī' });
    await post(`/${id}/invite`);
    await post(`/${id}/deactivate`, { reassignTo: null });
    await post(`/${id}/activate`);
    const events = (await readEvents(db, me.accountId)).slice(before);
    assert.deepEqual(
      events.map(({ type, subject, actor, data }) => [type, subject, actor, data]),
      [
        ['user.created', { changed: ['email', 'name', 'role', 'active'] }],
        ['user.updated', { changed: ['name', 'role'] }],
        ['user.deactivated', {}],
        ['user.updated', { changed: ['active'] }],
      ].map(([type, data]) => [type, id, `user ${me.id}`, data]),
    );
    assert.equal(events[1]?.requestId, headers['x-request-id']);
    const changes = await readChanges(db, me.accountId, id);
    assert.deepEqual(changes.map(({ before: from, after: to }) => [from, to])[1], [
      { name: 'Wiremu Pou', role: 'agent' },
      { name: 'Wī', role: 'viewer' },
    ]);
  });
});

describe('the last active owner', () => {
  test('keeps the role and stays active until there is another one', async () => {
    const { me, add, patch, post } = await openAccount();
    const url = `${USERS}/${me.id}`;
    assertProblem(await patch(me.id, { role: 'manager' }), 'last_owner', url);
    const deactivate = `/${me.id}/deactivate`;
    const answer = await post(deactivate, { reassignTo: null });
    assertProblem(answer, 'last_owner', `${USERS}${deactivate}`);
    await add('owner');
    assert.equal((await patch(me.id, { role: 'manager' })).status, 200);
  });

  test('is there still when two owners demote each other at once', async () => {
    const { me, add, patch } = await openAccount();
    const { id } = await add('owner');
    const answers = await Promise.all([
      patch(me.id, { role: 'viewer' }),
      patch(id, { role: 'viewer' }),
    ]);
    const rows = await readRows(db, "select from users where account_id = $1 and role = 'owner'", [
      me.accountId,
    ]);
    assert.equal(rows.length, 1, JSON.stringify(answers.map(({ status }) => status)));
  });

  test('is there still when two owners are deactivated at once', async () => {
    const { me, add } = await openAccount();
    const key = await keyWith(me, [...SCOPES]);
    const { post } = callsOf(program(key));
    const owners = [me.id, (await add('owner')).id, (await add('owner')).id];
    const answers = await Promise.all(
      owners.map((id) => post(`/${id}/deactivate`, { reassignTo: null })),
    );
    const refused = answers.filter(({ body }) => body.code === 'last_owner');
    assert.equal(refused.length, 1);
    const rows = await readRows(
      db,
      "select from users where account_id = $1 and role = 'owner' and active",
      [me.accountId],
    );
    assert.equal(rows.length, 1);
  });
});

describe('a manager', () => {
  test('manages agents and viewers, and nobody else', async () => {
    const owner = await openAccount();
    const manager = await addPerson(service, { role: 'manager', slug: owner.me.slug });
    const { add, post, patch } = callsOf(browser(service, await openSession(service, manager)));
    const { id } = await add('agent');
    assert.equal((await patch(id, { role: 'viewer' })).status, 200);
    assert.equal((await post(`/${id}/reset`)).status, 201);
    const url = `${USERS}/${id}`;
    for (const role of ['owner', 'manager'] as const) {
      assertProblem(await post('', { ...newcomer(), role }), 'role_not_manageable', USERS);
      assertProblem(await patch(id, { role }), 'role_not_manageable', url);
      const above = (await owner.add(role)).id;
      const refused = [
        await patch(above, { name: 'x' }),
        await post(`/${above}/invite`),
        await post(`/${above}/reset`),
        await post(`/${above}/deactivate`, { reassignTo: null }),
        await post(`/${above}/activate`),
      ];
      for (const answer of refused) {
        assert.equal(answer.status, 403, answer.text);
        assert.equal(answer.body.code, 'role_not_manageable');
      }
    }
  });
});

describe('an API key', () => {
  test('gives people only roles whose scopes it has, and manages only such people', async () => {
    const { me, add } = await openAccount();
    const weak = callsOf(program(await keyWith(me, ['users:write'])));
    assertProblem(await weak.post('', newcomer()), 'scope_not_grantable', USERS);
    assert.equal((await weak.post(`/${me.id}/reset`)).body.code, 'role_not_manageable');
    const strong = callsOf(program(await keyWith(me, [...SCOPES])));
    assert.equal((await strong.post('', { ...newcomer(), role: 'owner' })).status, 201);
    const { id } = await add('viewer');
    assert.equal((await strong.patch(id, { role: 'manager' })).status, 200);
    const other = await weak.patch(id, { name: 'x' });
    assertProblem(other, 'role_not_manageable', `${USERS}/${id}`);
  });
});

describe('a link of a person', () => {
  test('is a new invitation or a reset, and the older one ends', async () => {
    const { add, post, get } = await openAccount();
    const { id, invitation, etag } = await add();
    const invited = await post(`/${id}/invite`);
    assert.equal(invited.status, 201);
    const { body: shown } = await get(`/${id}`);
    assert.equal(shown.invitedUntil, invited.body.expiresAt);
    assert.notEqual(shown.etag, etag);
    const { body: listed } = await get('?active=true');
    assert.deepEqual(
      listed.data.find((each: { id: string }) => each.id === id),
      shown,
    );
    const reset = await post(`/${id}/reset`, { removeSecondStep: true });
    assert.match(reset.body.url, /\/reset#/);
    assert.equal((await get(`/${id}`)).body.invitedUntil, null);
    for (const { url } of [invitation, invited.body]) {
      const payload = { token: url.split('#')[1] };
      const answer = await service.send({ method: 'POST', url: '/api/v1/links/open', payload });
      assert.equal(answer.status, 404);
    }
    assert.equal(await statusOf(await accept(reset.body.url)), 200);
  });

  test('is refused for a person who is not active', async () => {
    const { add, post } = await openAccount();
    const { id } = await add();
    await post(`/${id}/deactivate`, { reassignTo: null });
    for (const verb of ['invite', 'reset']) {
      const url = `/${id}/${verb}`;
      assertProblem(await post(url), 'invalid_transition', `${USERS}${url}`);
    }
  });
});

test('a person is added with an expired Idempotency-Key also while its former answer is deleted', async () => {
  const { me, post } = await openAccount();
  const headers = { 'idempotency-key': 'expired' };
  const { body: former } = await post('', newcomer(), headers);
  const expire = `update idempotency_keys set claimed_at = now() - interval '2 days' where account_id = $1`;
  await run(db, expire, [me.accountId]);
  const person = newcomer();
  // An erasure locks the account, and then deletes the answers that name the person.
  const { adding } = await runInTransaction(db, async (tx) => {
    // PostgreSQL ends the transaction that looks for a deadlock first: the request, which then runs again.
    await tx.query({ name: '', text: "set local deadlock_timeout = '60s'", values: [] });
    const values = [me.accountId];
    const lockAccount = 'select from accounts where account_id = $1 for no key update';
    await tx.query({ name: '', text: lockAccount, values });
    const sent = post('', person, headers);
    await someoneWaits(db);
    const drop = 'delete from idempotency_keys where account_id = $1 and body like $2';
    await tx.query({ name: '', text: drop, values: [me.accountId, `%${former.id}%`] });
    return { adding: sent };
  });
  const answer = await adding;
  // The request that runs again may come before the COMMIT of the erasure. It is then asked to come once more.
  const isInUse = answer.body.code === 'idempotency_key_in_use';
  const { status } = isInUse ? await post('', person, headers) : answer;
  assert.equal(status, 201);
});

test('a manager cannot use the link of an agent who has become an owner', async () => {
  const owner = await openAccount();
  const manager = await owner.add('manager');
  const agent = await owner.add();
  const byManager = callsOf(browser(service, await accept(manager.invitation.url)));
  const { body: link } = await byManager.post(`/${agent.id}/reset`);
  assert.equal((await owner.patch(agent.id, { role: 'owner' })).status, 200);
  const payload = { token: link.url.split('#')[1], password: PASSWORD };
  const url = '/api/v1/links/accept';
  assertProblem(await service.send({ method: 'POST', url, payload }), 'link_not_valid', url);
});

test('a link or session does not outlive a load that gives its person more rights, another email or none', async () => {
  const owner = await openAccount();
  const [raised, moved, left] = [await owner.add(), await owner.add(), await owner.add()];
  const cookie = await accept(left.invitation.url);
  const urls: string[] = [];
  for (const { id } of [raised, moved, left])
    urls.push((await owner.post(`/${id}/reset`)).body.url);
  const load = (users: object[]) => service.load({ ...accountFile(owner.me.slug), users });
  await load([
    { id: raised.id, email: raised.email, role: 'manager' },
    { id: moved.id, email: `new-${moved.email}` },
    { id: left.id, email: left.email, active: false },
  ]);
  await load([{ id: left.id, email: left.email, active: true }]);
  expireLookUps();
  assert.equal(await statusOf(cookie), 401);
  for (const link of urls) {
    const payload = { token: link.split('#')[1], password: PASSWORD };
    const url = '/api/v1/links/accept';
    assertProblem(await service.send({ method: 'POST', url, payload }), 'link_not_valid', url);
  }
});

describe('a person who gets another role while the body of their request arrives', () => {
  const requests: [string, string, string, string][] = [
    ['POST', '/api/v1/tags', 'application/json', '{"label": "Late"}'],
    ['PATCH', '/api/v1/organization', 'application/merge-patch+json', '{"phone": "1"}'],
    ['POST', '/api/v1/contact-files', 'text/csv', 'email,name\n'],
    ['POST', '/api/v1/media', 'image/png', 'none'],
  ];
  for (const [method, url, type, text] of requests)
    test(`is refused what the role may not do: ${method} ${url}`, async () => {
      const { add, patch } = await openAccount();
      const { id, invitation } = await add('owner');
      const send = browser(service, await accept(invitation.url));
      async function* body() {
        yield text.slice(0, 2);
        assert.equal((await patch(id, { role: 'viewer' })).status, 200);
        yield text.slice(2);
      }
      const headers = { 'content-type': type };
      const sent = { method, url, headers, payload: Readable.from(body()) };
      const answer = await send(sent as Parameters<Send>[0]);
      assert.deepEqual(
        [answer.status, answer.body.code],
        [403, 'insufficient_access'],
        answer.text,
      );
    });
});

describe('deactivating a person', () => {
  test('ends their sessions and links, moves their contacts, and can be undone', async () => {
    const { me, add, post, get } = await openAccount();
    const gone = await add();
    const cookie = await accept(gone.invitation.url);
    const key = await keyWith(me, ['leads:import']);
    const lead = { email: 'lead@example.com', assignedAccountUserId: gone.id };
    await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload: lead });
    const { body } = await post(`/${gone.id}/reset`);
    const url = `/${gone.id}/deactivate`;
    const answer = await post(url, { reassignTo: me.id });
    assert.deepEqual([answer.status, answer.body.active], [200, false], answer.text);
    assert.equal(answer.headers['etag'], answer.body.etag);
    assert.equal(await statusOf(cookie), 401);
    const [contact] = await readRows(
      db,
      'select assigned_account_user_id as "userId", version from contacts where account_id = $1',
      [me.accountId],
    );
    assert.deepEqual(contact, { userId: me.id, version: 2 });
    assert.deepEqual((await post(url, { reassignTo: null })).body, answer.body);
    const active = await post(`/${gone.id}/activate`);
    assert.equal(active.body.active, true);
    assert.equal(await statusOf(cookie), 401);
    assert.deepEqual((await post(`/${gone.id}/activate`)).body, active.body);
    assert.deepEqual((await get(`/${gone.id}`)).body, active.body);
    const payload = { token: body.url.split('#')[1], password: PASSWORD };
    const link = await service.send({ method: 'POST', url: '/api/v1/links/accept', payload });
    assert.equal(link.status, 404);
  });

  test('gives their contacts to nobody but an active person of the account', async () => {
    const { add, post } = await openAccount();
    const stranger = await addPerson(service);
    const { id } = await add();
    const { id: inactive } = await add();
    await post(`/${inactive}/deactivate`, { reassignTo: null });
    const url = `/${id}/deactivate`;
    for (const reassignTo of [id, id.toUpperCase(), inactive, stranger.id, 'nobody']) {
      const problem = assertProblem(
        await post(url, { reassignTo }),
        'user_not_active',
        `${USERS}${url}`,
      );
      const fault = problem.errors?.[0] ?? assert.fail(problem.detail);
      assert.equal(fault.pointer, '/reassignTo');
      const isSelf = reassignTo.toLowerCase() === id;
      assert.match(
        fault.detail,
        isSelf ? /another person: this one is being deactivated/ : /an active person/,
      );
    }
    assert.equal((await post(url, {})).status, 400);
  });

  test('ends their access first, moves many contacts in steps, and goes on where it failed', async () => {
    const { me, add, post, get } = await openAccount();
    const gone = await add();
    const cookie = await accept(gone.invitation.url);
    const key = await keyWith(me, ['leads:import', 'contacts:write']);
    const contacts = Array.from({ length: 250 }, (_, n) => ({
      email: `of-${n}@example.com`,
      assignedAccountUserId: gone.id,
    }));
    const url = '/api/v1/contacts';
    const batch = await service.send({
      method: 'POST',
      url: `${url}/batch`,
      key,
      payload: { contacts },
    });
    // Active contacts move first.
    const last = batch.body.results[0];
    const archived = await service.send({
      method: 'POST',
      url: `${url}/${last.contactId}/archive`,
      key,
    });
    assert.equal(archived.status, 200, archived.text);
    const readCounts = () =>
      readRows(
        db,
        `select count(*) filter (where assigned_account_user_id = $2)::int as old,
          count(*) filter (where assigned_account_user_id = $3)::int as new from contacts where account_id = $1`,
        [me.accountId, gone.id, me.id],
      );
    const deactivate = () => post(`/${gone.id}/deactivate`, { reassignTo: me.id });
    const failed = await whileEmailsLocked(db, me.accountId, [last.email], async () => {
      const answer = deactivate();
      await someoneWaits(db);
      assert.equal((await get(`/${gone.id}`)).body.active, false);
      // A session may be used from a cache for up to 250 ms.
      await until(async () => (await statusOf(cookie)) === 401);
      assert.deepEqual(await readCounts(), [{ old: 50, new: 200 }]);
      await endWaiting(db);
      return answer;
    });
    assert.equal(failed.status, 503, failed.text);
    assert.equal((await deactivate()).status, 200);
    assert.deepEqual(await readCounts(), [{ old: 0, new: 250 }]);
    const events = await readEvents(db, me.accountId);
    const moves = events.filter(
      ({ type, actor }) => type === 'contact.assigned' && actor.endsWith(me.id),
    );
    assert.equal(new Set(moves.map(({ subject }) => subject)).size, 250);
    assert.equal(moves.length, 250);
  });

  test('gives no contacts to a person who is deactivated meanwhile', async () => {
    const { me, add, post } = await openAccount();
    const [gone, heir] = [await add(), await add()];
    const contacts = Array.from({ length: 450 }, (_, n) => ({
      email: `of-${n}@example.com`,
      assignedAccountUserId: gone.id,
    }));
    const key = await keyWith(me, ['leads:import']);
    const url = '/api/v1/contacts/batch';
    await service.send({ method: 'POST', url, key, payload: { contacts } });
    const readCounts = () =>
      readRows<{ id: string; count: number }>(
        db,
        `select assigned_account_user_id as id, count(*)::int as count from contacts
          where account_id = $1 group by 1`,
        [me.accountId],
      );
    // The first step waits for the emails, and the other deactivation for the end of that step.
    const emails = contacts.map(({ email }) => email);
    const requests = await whileEmailsLocked(db, me.accountId, emails, async () => {
      const ofGone = post(`/${gone.id}/deactivate`, { reassignTo: heir.id });
      await someoneWaits(db);
      const ofHeir = post(`/${heir.id}/deactivate`, { reassignTo: null });
      await someoneWaits(db, 2);
      return [ofGone, ofHeir];
    });
    const [ofGone, ofHeir] = await Promise.all(requests);
    assert.equal(ofHeir?.status, 200, ofHeir?.text);
    assertProblem(ofGone ?? assert.fail(), 'user_not_active', `${USERS}/${gone.id}/deactivate`);
    assert.ok((await readCounts()).every(({ id }) => id !== heir.id));
    assert.equal((await post(`/${gone.id}/deactivate`, { reassignTo: null })).status, 200);
    assert.deepEqual(await readCounts(), [{ id: null, count: 450 }]);
  });

  test('leaves them no contact that is assigned to them and filled by a lead at the same moment', async () => {
    const { me, add, post } = await openAccount();
    const { accountId } = me;
    const { id } = await add();
    const key = await keyWith(me, ['leads:import']);
    const sendLead = (fields: object): Promise<Answer> => {
      const payload = { email: 'late@example.com', ...fields };
      return service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
    };
    await sendLead({});
    const hold = (text: string, values: string[]) => ({ name: '', text, values });
    const requests = await runInTransaction(db, async (ofPerson) => {
      const ofTheirs = 'select from users where account_id = $1 and id = $2 for key share';
      await ofPerson.query(hold(ofTheirs, [accountId, id]));
      // The deactivation has found no contact, and waits for the transaction that assigns one.
      const { deactivation } = await runInTransaction(db, async (assigning) => {
        const own = 'select from account_revisions where account_id = $1 for update';
        await assigning.query(hold(own, [accountId]));
        const sent = post(`/${id}/deactivate`, { reassignTo: null });
        await someoneWaits(db);
        const assign = 'update contacts set assigned_account_user_id = $2 where account_id = $1';
        await assigning.query(hold(assign, [accountId, id]));
        return { deactivation: sent };
      });
      await someoneWaits(db);
      const lead = sendLead({ phone: '021 555 0142' });
      await someoneWaits(db, 2);
      return [deactivation, lead];
    });
    for (const { status, text } of await Promise.all(requests)) assert.equal(status, 200, text);
    const stored =
      'select assigned_account_user_id as id, phone_primary as phone from contacts where account_id = $1';
    assert.deepEqual(await readRows(db, stored, [accountId]), [
      { id: null, phone: '021 555 0142' },
    ]);
  });

  test('leaves them no contacts that a bulk change assigns to them at the same moment', async () => {
    const { me, add, post } = await openAccount();
    const { id } = await add();
    const key = await keyWith(me, ['leads:import', 'contacts:manage']);
    const send = (url: string, payload: object) =>
      service.send({ method: 'POST', url, key, payload });
    await send('/api/v1/contacts', { email: 'ana@example.com' });
    const requests = await runInTransaction(db, async (holder) => {
      const text = 'select from users where account_id = $1 and id = $2 for update';
      await holder.query({ name: '', text, values: [me.accountId, id] });
      const deactivation = post(`/${id}/deactivate`, { reassignTo: null });
      await someoneWaits(db);
      const url = '/api/v1/contacts/bulk';
      const change = send(url, { filter: {}, set: { assignedAccountUserId: id } });
      await someoneWaits(db, 2);
      return [deactivation, change];
    });
    const [deactivated, changed] = await Promise.all(requests);
    assert.equal(deactivated?.status, 200, deactivated?.text);
    assertProblem(changed ?? assert.fail(), 'user_not_active', '/api/v1/contacts/bulk');
  });

  test('leaves them no lead that arrives at the same moment', async () => {
    const { me, add, post } = await openAccount();
    const { id } = await add();
    const key = await keyWith(me, ['leads:import']);
    const payload = { email: 'late@example.com', assignedAccountUserId: id };
    const lockPerson = {
      name: '',
      text: 'select from users where account_id = $1 and id = $2 for update',
      values: [me.accountId, id],
    };
    // The deactivation waits for its last write, and the lead, which has found the person active, for the deactivation.
    const requests = await runInTransaction(db, async (holder) => {
      await holder.query(lockPerson);
      const deactivation = post(`/${id}/deactivate`, { reassignTo: null });
      await someoneWaits(db);
      const url = '/api/v1/contacts';
      const lead = service.send({ method: 'POST', url, key, payload });
      await someoneWaits(db, 2);
      return [deactivation, lead];
    });
    const [deactivated, late] = await Promise.all(requests);
    assert.equal(deactivated?.status, 200, deactivated?.text);
    assertProblem(late ?? assert.fail(), 'user_not_active', '/api/v1/contacts');
  });
});
