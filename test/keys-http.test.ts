import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, describe, mock, test } from 'node:test';
import { SCOPES, type Role, type Scope } from '../src/access/index.ts';
import { createKeyCache, issueKey } from '../src/keys/index.ts';
import { expireLookUps, moveClock } from './support/clock.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build, type Answer } from './support/harness.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { readRows, run } from './support/sql.ts';

const service = await build({ after });
const { db } = service;
const KEYS = '/api/v1/keys';
const STOCKLIST = '/api/v1/stocklist';
const CONTACTS = '/api/v1/contacts';

afterEach(() => mock.timers.reset());

/** An owner who is signed in, and what they send. */
async function openAccount(role: Role = 'owner') {
  const me = await addPerson(service, { role });
  const send = browser(service, await openSession(service, me));
  const post = (path: string, payload?: object, headers = {}): Promise<Answer> =>
    send({ method: 'POST', url: `${KEYS}${path}`, headers, ...(payload && { payload }) });
  const patch = (id: string, payload: object, headers = {}): Promise<Answer> =>
    send({ method: 'PATCH', url: `${KEYS}/${id}`, payload, headers });
  const get = (path = ''): Promise<Answer> => send({ url: `${KEYS}${path}` });
  async function make(more: object = {}): Promise<Answer['body']> {
    const answer = await post('', { name: 'website', access: 'read', ...more });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }
  return { me, send, post, patch, get, make };
}

const read = async (key: string): Promise<number> =>
  (await service.send({ url: STOCKLIST, key })).status;

describe('an API key that is made', () => {
  test('is shown once, works, and says who made it', async () => {
    const { me, post, get } = await openAccount();
    const answer = await post('', {
      name: 'website',
      scopes: ['contacts:write', 'stock:read'],
      expiresAt: '2099-01-31T13:00:00+13:00',
      rateLimits: { reads: 100 },
    });
    assert.equal(answer.status, 201, answer.text);
    const { key, ...shown } = answer.body;
    assert.equal(answer.headers['location'], `${KEYS}/${shown.id}`);
    assert.equal(answer.headers['etag'], '"1"');
    const { id, createdAt: _createdAt, ...rest } = shown;
    assert.deepEqual(rest, {
      name: 'website',
      scopes: ['stock:read', 'contacts:read', 'contacts:write'],
      access: null,
      start: key.slice(0, 12),
      lastFour: key.slice(-4),
      createdBy: { type: 'user', id: me.id, name: 'Hana' },
      lastUsedAt: null,
      expiresAt: '2099-01-31T00:00:00.000Z',
      revokedAt: null,
      rateLimits: { reads: 100, imports: null, writes: null },
      previous: null,
      etag: '"1"',
    });
    assert.deepEqual((await get(`/${id}`)).body, shown);
    assert.equal(await read(key), 200);
    const rows = await readRows(db, 'select api_keys::text as row from api_keys where id = $1', [
      id,
    ]);
    assert.ok(!JSON.stringify(rows).includes(key.slice(-20)));
    assert.ok(!service.log.join('\n').includes(key.slice(-20)));
  });

  test('expires at the start of a day in UTC when it is given a date', async () => {
    const { post, patch } = await openAccount();
    const { body } = await post('', { name: 'x', access: 'read', expiresAt: '2099-01-31' });
    assert.equal(body.expiresAt, '2099-01-31T00:00:00.000Z');
    const later = await patch(body.id, { expiresAt: '2099-02-01' });
    assert.equal(later.body.expiresAt, '2099-02-01T00:00:00.000Z');
  });

  test('needs a name, and either scopes or an access', async () => {
    const { post } = await openAccount();
    for (const [body, pointer] of [
      [{ access: 'read' }, '/name'],
      [{ name: ' ', access: 'read' }, '/name'],
      [{ name: 'x' }, '/scopes'],
      [{ name: 'x', access: 'read', scopes: ['stock:read'] }, '/scopes'],
      [{ name: 'x', scopes: [] }, '/scopes'],
      [{ name: 'x', scopes: ['all'] }, '/scopes/0'],
      [{ name: 'x', access: 'write' }, '/access'],
      [{ name: 'x', access: 'read', expiresAt: 'tomorrow' }, '/expiresAt'],
      [{ name: 'x', access: 'read', rateLimits: { reads: 0 } }, '/rateLimits/reads'],
      [{ name: 'x', access: 'read', rateLimits: { exports: 1 } }, '/rateLimits/exports'],
      [{ name: 'x', access: 'read', key: 'offplan_' }, '/key'],
    ] as const) {
      const { errors } = assertProblem(await post('', body), 'invalid_request', KEYS);
      assert.equal(errors?.[0]?.pointer, pointer, JSON.stringify(body));
    }
    const both = await post('', { name: 'x', access: 'read', scopes: ['stock:read'] });
    assert.equal(both.body.detail, 'Send either scopes or access.');
    const twice = await post('', { name: 'x', scopes: ['stock:read', 'stock:read'] });
    assert.deepEqual(assertProblem(twice, 'invalid_request', KEYS).errors, [
      { pointer: '/scopes', detail: 'scopes must have each item once.' },
    ]);
  });

  test('can have no scope that its maker lacks', async () => {
    const { me, make } = await openAccount();
    const scopes: Scope[] = ['keys:write', 'contacts:write'];
    const maker = await issueKey(db, me.accountId, { name: 'maker', scopes });
    const payload = (more: object) => ({ name: 'x', ...more });
    const ask = (more: object) =>
      service.send({ method: 'POST', url: KEYS, key: maker, payload: payload(more) });
    const { detail } = assertProblem(
      await ask({ scopes: ['contacts:read', 'contacts:manage', 'stock:read'] }),
      'scope_not_grantable',
      KEYS,
    );
    assert.match(detail, /stock:read, contacts:manage/);
    assertProblem(await ask({ access: 'read' }), 'scope_not_grantable', KEYS);
    const made = await ask({ scopes: ['contacts:read'] });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.createdBy, { ...made.body.createdBy, type: 'key', name: 'maker' });
    // Its text would give the caller the scopes of the other key.
    const { id } = await make();
    const rotate = { method: 'POST', url: `${KEYS}/${id}/rotate`, key: maker } as const;
    const answer = await service.send({ ...rotate, payload: { overlapSeconds: 0 } });
    assertProblem(answer, 'scope_not_grantable', rotate.url);
  });

  test('is made once for an Idempotency-Key, whose repeat does not show the text again', async () => {
    const { post, get } = await openAccount();
    const body = { name: 'website', access: 'read' };
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const first = await post('', body, headers);
    const repeat = await post('', body, headers);
    assertProblem(repeat, 'secret_shown_once', KEYS);
    assert.equal(repeat.headers['location'], `${KEYS}/${first.body.id}`);
    assert.equal((await get()).body.data.length, 1);
    const rows = await readRows(db, 'select body from idempotency_keys where key = $1', [
      headers['idempotency-key'],
    ]);
    assert.ok(rows.length === 1 && !JSON.stringify(rows).includes(first.body.key));
  });

  test('is refused while the account has 100 keys that work', async () => {
    const { me, post, make } = await openAccount();
    const { id } = await make();
    await run(
      db,
      `insert into api_keys (account_id, id, name, access, key_sha256, created_at)
        select $1, gen_random_uuid(), 'x', 'read', sha256(n::text::bytea), now()
        from generate_series(2, 100) n`,
      [me.accountId],
    );
    assertProblem(await post('', { name: 'x', access: 'read' }), 'limit_reached', KEYS);
    await post(`/${id}/revoke`);
    await make();
  });
});

describe('the list of API keys', () => {
  test('has the newest first, and filters by words, the last four and whether it is revoked', async () => {
    const { post, get, make } = await openAccount();
    const one = await make({ name: 'Main website' });
    const two = await make({ name: 'Portal' });
    await post(`/${two.id}/revoke`);
    const names = async (query = '') =>
      (await get(query)).body.data.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(), ['Portal', 'Main website']);
    assert.deepEqual(await names('?revoked=false'), ['Main website']);
    assert.deepEqual(await names('?revoked=true'), ['Portal']);
    assert.deepEqual(await names('?q=webs'), ['Main website']);
    assert.deepEqual(await names(`?lastFour=${one.key.slice(-4)}`), ['Main website']);
    const page = await get('?limit=1&count=true');
    assert.deepEqual([page.body.pagination.totalCount, page.body.data.length], [2, 1]);
    assert.deepEqual(await names(`?limit=1&cursor=${page.body.pagination.nextCursor}`), [
      'Main website',
    ]);
    assert.equal((await get('?access=read')).status, 400);
    assert.ok(!page.text.includes(two.key));
  });

  test('shows a key of an older release without its last four characters', async () => {
    const { me, get } = await openAccount();
    await run(
      db,
      `insert into api_keys (account_id, id, name, access, key_sha256, created_at)
        values ($1, gen_random_uuid(), 'old', 'read-write', '\\x01', now())`,
      [me.accountId],
    );
    const [{ lastFour, start, access, scopes, createdBy }] = (await get()).body.data;
    assert.deepEqual([lastFour, access, createdBy.type], [null, 'read-write', 'system']);
    assert.deepEqual(scopes, ['stock:read', 'leads:import']);
    assert.match(start, /^offplan_\w{4}$/);
  });
});

describe('finding a key by its text', () => {
  test('finds it revoked and rotated, and none of another account', async () => {
    const { post, make } = await openAccount();
    const other = await openAccount();
    const { id, key } = await make();
    const find = async (text: string, ask = post) => ask('/find', { key: text });
    assert.equal((await find(` ${key}\n`)).body.id, id);
    const rotated = await post(`/${id}/rotate`, { overlapSeconds: 0 });
    await post(`/${id}/revoke`);
    for (const text of [key, rotated.body.key]) assert.equal((await find(text)).body.id, id);
    for (const answer of [await find(key, other.post), await find('x'), await find(`${key}x`)])
      assertProblem(answer, 'key_not_found', `${KEYS}/find`);
  });
});

describe('a change of a key', () => {
  test('raises the version once, merges limits, and a stale If-Match is a 412', async () => {
    const { patch, make } = await openAccount();
    const { id, etag, key } = await make({ rateLimits: { reads: 5, writes: 7 } });
    const url = `${KEYS}/${id}`;
    const changed = await patch(id, { name: 'new', rateLimits: { reads: null, imports: 6 } });
    assert.deepEqual(
      [changed.body.name, changed.body.rateLimits, changed.headers['etag']],
      ['new', { reads: null, imports: 6, writes: 7 }, '"2"'],
    );
    assert.deepEqual((await patch(id, { name: 'new' })).body, changed.body);
    const stale = await patch(id, { name: 'x' }, { 'if-match': etag });
    assertProblem(stale, 'precondition_failed', url);
    assert.deepEqual(stale.body.current, changed.body);
    assert.equal((await patch(id, { rateLimits: null })).body.rateLimits.writes, null);
    assertProblem(await patch(id, { scopes: ['stock:read'] }), 'invalid_request', url);
    assert.equal(await read(key), 200);
    await patch(id, { expiresAt: new Date(Date.now() - 1_000).toISOString() });
    assert.equal(await read(key), 401);
    await patch(id, { expiresAt: null });
    assert.equal(await read(key), 200);
  });
});

describe('a longer life of a key', () => {
  test('can be given by those only who hold what the key may do', async () => {
    const { me, make } = await openAccount();
    const scopes: Scope[] = ['keys:write'];
    const maker = await issueKey(db, me.accountId, { name: 'maker', scopes });
    const { id } = await make({ expiresAt: '2098-01-01T00:00:00Z' });
    const patch = (payload: object) =>
      service.send({ method: 'PATCH', url: `${KEYS}/${id}`, key: maker, payload });
    for (const expiresAt of ['2099-01-01T00:00:00Z', null])
      assertProblem(await patch({ expiresAt }), 'scope_not_grantable', `${KEYS}/${id}`);
    assert.equal((await patch({ expiresAt: '2097-01-01T00:00:00Z' })).status, 200);
  });

  test('is refused to an expired key while the account has 100 keys that work', async () => {
    const { me, make, patch } = await openAccount();
    const { id } = await make();
    await patch(id, { expiresAt: '2020-01-01T00:00:00Z' });
    for (let n = 0; n < 100; n += 1)
      await issueKey(db, me.accountId, { name: `${n}`, access: 'read' });
    const answer = await patch(id, { expiresAt: null });
    assertProblem(answer, 'limit_reached', `${KEYS}/${id}`);
  });
});

test('POST /keys refuses a key that has expired already, and makes none', async () => {
  const { post, get } = await openAccount();
  const before = (await get('?limit=100')).body.data.length;
  const answer = await post('', {
    name: 'x',
    access: 'read',
    expiresAt: new Date(Date.now() - 1_000).toISOString(),
  });
  const { errors } = assertProblem(answer, 'invalid_request', KEYS);
  assert.deepEqual(errors, [{ pointer: '/expiresAt', detail: 'expiresAt must be in the future.' }]);
  assert.equal((await get('?limit=100')).body.data.length, before);
});

describe('a rotated key', () => {
  test('has a new text, and the old one works as long as it was given, and finds the key', async () => {
    const { get, post, make } = await openAccount();
    const { id, key } = await make();
    const answer = await post(`/${id}/rotate`, { overlapSeconds: 3_600 });
    assert.equal(answer.status, 200, answer.text);
    const { body } = answer;
    assert.deepEqual([body.id, body.lastFour], [id, body.key.slice(-4)]);
    assert.equal(body.previous.lastFour, key.slice(-4));
    const found = (await get(`?lastFour=${key.slice(-4)}`)).body.data;
    assert.deepEqual(
      found.map((each: { id: string }) => each.id),
      [id],
    );
    const minutes = (Date.parse(body.previous.validUntil) - Date.now()) / 60_000;
    assert.ok(minutes > 59 && minutes <= 60);
    assert.deepEqual([await read(key), await read(body.key)], [200, 200]);
    moveClock(3_600_000);
    assert.deepEqual([await read(key), await read(body.key)], [401, 200]);
  });

  test('without an overlap, or after another rotation, ends the old text at once', async () => {
    const { post, make } = await openAccount();
    const { id, key } = await make();
    const first = (await post(`/${id}/rotate`, { overlapSeconds: 3_600 })).body.key;
    const second = (await post(`/${id}/rotate`, { overlapSeconds: 0 })).body.key;
    assert.deepEqual([await read(key), await read(first), await read(second)], [401, 401, 200]);
    const third = (await post(`/${id}/rotate`, { overlapSeconds: 3_600 })).body.key;
    const fourth = (await post(`/${id}/rotate`, { overlapSeconds: 3_600 })).body.key;
    const statuses = await Promise.all([first, second, third, fourth].map(read));
    assert.deepEqual(statuses, [401, 401, 200, 200]);
  });

  test('is none when it is revoked or expired, and an overlap has at most a week', async () => {
    const { post, patch, make } = await openAccount();
    const past = new Date(Date.now() - 1_000).toISOString();
    const expired = await make();
    await patch(expired.id, { expiresAt: past });
    const revoked = await make();
    await post(`/${revoked.id}/revoke`);
    for (const { id } of [expired, revoked]) {
      const url = `/${id}/rotate`;
      const answer = await post(url, { overlapSeconds: 0 });
      assertProblem(answer, 'invalid_transition', `${KEYS}${url}`);
    }
    for (const overlapSeconds of [-1, 604_801, 1.5, '1', undefined])
      assert.equal((await post(`/${expired.id}/rotate`, { overlapSeconds })).status, 400);
  });

  test('of another process is refused 250 ms later at the latest', async () => {
    const { post, make } = await openAccount();
    const { id, key } = await make();
    const elsewhere = createKeyCache(
      async () => db,
      (error) => assert.fail(String(error)),
    );
    assert.ok(await elsewhere.find(key, '192.0.2.1'));
    await post(`/${id}/rotate`, { overlapSeconds: 0 });
    expireLookUps();
    assert.equal(await elsewhere.find(key, '192.0.2.1'), undefined);
  });
});

describe('a revoked key', () => {
  test('stops working with all its texts, once', async () => {
    const { post, get, make } = await openAccount();
    const { id, key } = await make();
    const { key: next } = (await post(`/${id}/rotate`, { overlapSeconds: 60 })).body;
    assert.deepEqual([await read(key), await read(next)], [200, 200]);
    const answer = await post(`/${id}/revoke`);
    assert.equal(answer.status, 200, answer.text);
    assert.notEqual(answer.body.revokedAt, null);
    assert.deepEqual([await read(key), await read(next)], [401, 401]);
    assert.deepEqual((await post(`/${id}/revoke`)).body, answer.body);
    assert.deepEqual((await get(`/${id}`)).body, answer.body);
  });
});

describe('the limits of a key', () => {
  test('count its reads, imports and writes, and GET /me shows them', async () => {
    const { make } = await openAccount();
    const rateLimits = { reads: 1, imports: 2, writes: 3 };
    const { key } = await make({
      access: undefined,
      scopes: [...SCOPES],
      rateLimits,
    });
    const me = await service.send({ url: '/api/v1/me', key });
    assert.deepEqual(me.body.rateLimits, { ...rateLimits, exports: null });
    const ask = {
      reads: () => service.send({ url: STOCKLIST, key }),
      imports: () =>
        service.send({ method: 'POST', url: CONTACTS, key, payload: { email: 'a@example.com' } }),
      writes: () =>
        service.send({ method: 'POST', url: `${KEYS}/find`, key, payload: { key: 'x' } }),
    };
    for (const name of ['reads', 'imports', 'writes'] as const) {
      for (let left = rateLimits[name] - 1; left >= 0; left -= 1) {
        const { headers } = await ask[name]();
        assert.match(String(headers['ratelimit']), new RegExp(`^"${name}";r=${left};`));
      }
      const refused = await ask[name]();
      assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
      assert.match(
        refused.body.detail,
        new RegExp(`may make ${rateLimits[name]} ${name} a minute`),
      );
    }
  });

  test('cannot be higher than those of the operator, and change at once', async (t) => {
    const limited = await build(t, { readsPerMinute: 2 });
    const owner = await addPerson(limited, { role: 'owner' });
    const send = browser(limited, await openSession(limited, owner));
    const body = { name: 'x', access: 'read', rateLimits: { reads: 100 } };
    const { body: made } = await send({ method: 'POST', url: KEYS, payload: body });
    const ask = () => limited.send({ url: STOCKLIST, key: made.key });
    assert.match(String((await ask()).headers['ratelimit-policy']), /^"reads";q=2;/);
    const payload = { rateLimits: { reads: 1 } };
    await send({ method: 'PATCH', url: `${KEYS}/${made.id}`, payload });
    assert.equal((await ask()).status, 429);
  });
});

test('the events say who made, changed, rotated and revoked a key, and never its text', async () => {
  const { me, post, patch, make } = await openAccount();
  const before = (await readEvents(db, me.accountId)).length;
  const { id, key } = await make();
  await patch(id, { name: 'new', rateLimits: { reads: 5 } });
  await patch(id, { name: 'new' });
  const rotated = await post(`/${id}/rotate`, { overlapSeconds: 0 });
  await post(`/${id}/revoke`);
  await post(`/${id}/revoke`);
  const events = (await readEvents(db, me.accountId)).slice(before);
  assert.deepEqual(
    events.map(({ type, subject, actor, data }) => [type, subject, actor, data]),
    [
      ['key.created', {}],
      ['key.updated', { changed: ['name', 'rateLimits'] }],
      ['key.rotated', {}],
      ['key.revoked', {}],
    ].map(([type, data]) => [type, id, `user ${me.id}`, data]),
  );
  const changes = await readChanges(db, me.accountId, id);
  assert.deepEqual(changes[0]?.after, { name: 'website', access: 'read' });
  assert.deepEqual(changes[1]?.before, { name: 'website' });
  const text = JSON.stringify([events, changes]);
  for (const each of [key, rotated.body.key]) assert.ok(!text.includes(each.slice(-20)));
});
