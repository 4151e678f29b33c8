import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import type { QueryResultRow } from 'pg';
import { issueKey } from '../src/keys/index.ts';
import { openPool, type Pool } from '../src/platform/database/index.ts';
import { loadAccount } from '../src/portability/index.ts';
import { accountFile, accountIdOf } from './support/accounts.ts';
import { LOOK_UP_CACHED_MS, passTime } from './support/clock.ts';
import { build, databaseUrl, type Answer, type Cleaner } from './support/harness.ts';
import { instance } from './support/instances.ts';
import { keyIdOf } from './support/keys.ts';
import {
  ITEMS_LOOK_UP,
  KEY_LOOK_UP,
  PAGE_LOOK_UP,
  PROJECT_LOOK_UP,
  STOCK_CLOCK_READ,
} from './support/statements.ts';

const service = await build({ after });

/** An account file in which the company and both projects have this name. */
function fileNamed(slug: string, name: string, publication = 'live') {
  const { format, account, projects } = accountFile(slug);
  const organization = { ...account.organization, displayName: name };
  const projectNamed = (n: number) => ({
    ...projects[0],
    id: `0196a000-0000-7000-8000-00000000000${n}`,
    slug: `project-${n}`,
    name,
    publication,
  });
  return {
    format,
    account: { slug, organization },
    projects: [projectNamed(1), projectNamed(2)],
  };
}

/** An account whose key is used, so that it is remembered when something changes. */
async function customer() {
  const slug = `fresh-${randomBytes(6).toString('hex')}`;
  await service.load(fileNamed(slug, 'Before'));
  const key = await service.key(slug, 'read-write');
  const get = (url: string, headers = {}): Promise<Answer> =>
    service.send({ url: `/api/v1${url}`, key, headers });
  const list = (headers = {}) => get('/stocklist', headers);
  const detail = (headers = {}) => get('/projects/project-1', headers);
  const load = (name: string, db: Pool = service.db) => loadAccount(db, fileNamed(slug, name));
  return { slug, key, get, list, detail, load };
}

/** Returns the one name that all parts of an answer have. Two names would show two states. */
function nameOf({ status, body }: Answer): string {
  assert.equal(status, 200);
  const shown = [body.project, ...(body.projects ?? [])].filter((each) => each !== undefined);
  const names = new Set([body.organization, ...shown].map((each) => each.displayName ?? each.name));
  assert.equal(names.size, 1, `one answer shows ${[...names].join(' and ')}`);
  return String([...names][0]);
}

/** Opens another pool on the database, as another process does. */
async function elsewhere(t: Cleaner): Promise<Pool> {
  const pool = openPool(await databaseUrl(service.db), () => undefined);
  t.after(() => pool.end());
  return pool;
}

type Prepared = Parameters<Pool['query']>[0];

/** Holds the result of the next statement of this name back until the test releases it. */
function holdNext(statement: string): { read: Promise<void>; release: () => void } {
  const read = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const run = service.db.query.bind(service.db);
  service.db.query = async <Row extends QueryResultRow>(prepared: Prepared) => {
    if (prepared.name !== statement) return run<Row>(prepared);
    service.db.query = run;
    const result = await run<Row>(prepared);
    read.resolve();
    await released.promise;
    return result;
  };
  return { read: read.promise, release: released.resolve };
}

/** Returns the function that revokes a key over HTTP. */
async function makeRevoker(slug: string): Promise<(key: string) => Promise<void>> {
  const admin = await service.key(slug, 'all');
  // The service looks this key up now, so that the request that revokes waits for no look-up of an unknown key.
  assert.equal((await service.send({ url: '/api/v1/me', key: admin })).status, 200);
  return async (key) => {
    const url = `/api/v1/keys/${await keyIdOf(service.db, key)}/revoke`;
    assert.equal((await service.send({ method: 'POST', url, key: admin })).status, 200);
  };
}

// A request that wrongly waits for a statement that is held back would wait for ever.
const PATIENCE = { timeout: 120_000 };

describe('a change in the process', PATIENCE, () => {
  test('shows in the very next answer, in the list and in the detail', async () => {
    const { list, detail, load } = await customer();
    assert.deepEqual([nameOf(await list()), nameOf(await detail())], ['Before', 'Before']);
    for (let change = 0; change < 5; change += 1) {
      await load(`Change ${change}`);
      assert.equal(nameOf(await list()), `Change ${change}`);
      assert.equal(nameOf(await detail()), `Change ${change}`);
    }
  });

  test('makes a 200 of what was a 304', async () => {
    const { list, detail, load } = await customer();
    for (const [round, get] of [list, detail].entries()) {
      const headers = { 'if-none-match': String((await get()).headers['etag']) };
      assert.equal((await get(headers)).status, 304);
      await load(`Change ${round}`);
      assert.equal(nameOf(await get(headers)), `Change ${round}`);
    }
  });

  test('that removes a project removes it from the next answer', async () => {
    const { slug, list, detail } = await customer();
    assert.equal((await detail()).status, 200);
    await service.load(fileNamed(slug, 'Before', 'draft'));
    assert.deepEqual((await list()).body.projects, []);
    assert.equal((await detail()).status, 404);
  });

  test('shows to requests that come while the stock clock from before it is being read', async () => {
    const { list, load } = await customer();
    const held = holdNext(STOCK_CLOCK_READ);
    const overtaken = list();
    await held.read;
    await load('After');
    assert.equal(nameOf(await list()), 'After');
    await load('Later');
    held.release();
    nameOf(await overtaken);
    assert.equal(nameOf(await list()), 'Later');
  });

  for (const statement of [PAGE_LOOK_UP, ITEMS_LOOK_UP])
    test(`leaves a page that is being built in one state: ${statement}`, async () => {
      const { list, load } = await customer();
      const held = holdNext(statement);
      const overtaken = list();
      await held.read;
      await load('After');
      const later = list();
      held.release();
      assert.equal(nameOf(await later), 'After');
      assert.match(nameOf(await overtaken), /^(Before|After)$/);
      assert.equal(nameOf(await list()), 'After');
    });

  test('leaves a project that is being built in one state', async () => {
    const { detail, load } = await customer();
    const held = holdNext(PROJECT_LOOK_UP);
    const overtaken = detail();
    await held.read;
    await load('After');
    const later = detail();
    held.release();
    assert.equal(nameOf(await later), 'After');
    assert.equal(nameOf(await overtaken), 'Before');
    assert.equal(nameOf(await detail()), 'After');
  });
});

describe('an edit over HTTP', PATIENCE, () => {
  test('shows at the next request to every process, however busy the stock endpoints are', async (t) => {
    const { slug } = await customer();
    const servers = [await instance(t, await elsewhere(t)), await instance(t, await elsewhere(t))];
    const accountId = await accountIdOf(service.db, { slug });
    const scopes = ['stock:read', 'projects:write', 'settings:write'] as const;
    const key = await issueKey(service.db, accountId, { name: 'editor', scopes: [...scopes] });
    const headers = { authorization: `Bearer ${key}` };
    const list = async (server: (typeof servers)[0]) =>
      (await server.inject({ url: '/api/v1/stocklist', headers })).payload;
    for (let round = 0; round < 5; round += 1) {
      const [writer, reader] = round % 2 === 0 ? servers : servers.toReversed();
      assert(writer && reader);
      const name = `Edit ${round}`;
      const url = '/api/v1/stock/projects/0196a000-0000-7000-8000-000000000001';
      await list(reader);
      const edited = await writer.inject({ method: 'PATCH', url, headers, payload: { name } });
      assert.equal(edited.statusCode, 200);
      assert.match(await list(reader), RegExp(`"${name}"`));
      assert.match(await list(writer), RegExp(`"${name}"`));
    }
  });

  test('shows also while an older read of the stock clock is under way in another process', async (t) => {
    const { slug, list } = await customer();
    const writer = await instance(t, await elsewhere(t));
    const accountId = await accountIdOf(service.db, { slug });
    const key = await issueKey(service.db, accountId, {
      name: 'editor',
      scopes: ['projects:write'],
    });
    const held = holdNext(STOCK_CLOCK_READ);
    const overtaken = list();
    await held.read;
    const url = '/api/v1/stock/projects/0196a000-0000-7000-8000-000000000001';
    const headers = { authorization: `Bearer ${key}` };
    const payload = { name: 'Edit' };
    const edited = await writer.inject({ method: 'PATCH', url, headers, payload });
    assert.equal(edited.statusCode, 200);
    assert.match((await list()).text, /"Edit"/);
    held.release();
    await overtaken;
    assert.match((await list()).text, /"Edit"/);
  });
});

describe('a change by another process', () => {
  test('shows within 250 ms of its commit, however busy the key is', async (t) => {
    const { list, detail, load } = await customer();
    const other = await elsewhere(t);
    await list();
    await load('After', other);
    for (let n = 0; n < 5; n += 1) {
      await Promise.all([list(), detail()]);
      passTime(LOOK_UP_CACHED_MS / 5);
    }
    assert.deepEqual([nameOf(await list()), nameOf(await detail())], ['After', 'After']);
  });

  test('shows on every later page once one page has shown it', async (t) => {
    const { list, get, load } = await customer();
    const other = await elsewhere(t);
    await list();
    await load('After', other);
    assert.equal(nameOf(await get('/stocklist?limit=1')), 'After');
    assert.equal(nameOf(await list()), 'After');
  });

  test('leaves two servers with one answer, 250 ms later', async (t) => {
    const { key, load } = await customer();
    const servers = [await instance(t, await elsewhere(t)), await instance(t, await elsewhere(t))];
    const url = '/api/v1/stocklist';
    const ask = (headers = {}) => {
      const authorization = `Bearer ${key}`;
      const asked = { url, headers: { authorization, ...headers } };
      return Promise.all(servers.map((server) => server.inject(asked)));
    };
    for (const { payload } of await ask()) assert.match(payload, /Before/);
    await load('After');
    passTime(LOOK_UP_CACHED_MS);
    const [one, other] = await ask();
    assert.equal(one?.payload, other?.payload);
    assert.match(String(one?.payload), /After/);
    assert.doesNotMatch(String(one?.payload), /Before/);
    const again = await ask({ 'if-none-match': String(one?.headers['etag']) });
    assert.deepEqual(
      again.map(({ statusCode }) => statusCode),
      [304, 304],
    );
  });
});

// keys.test.ts tests that this process refuses a key 250 ms after another one revoked it.
describe('a key that is revoked in the process', PATIENCE, () => {
  test('is refused in the next request', async () => {
    const { slug, key, list } = await customer();
    const revoke = await makeRevoker(slug);
    assert.equal((await list()).status, 200);
    await revoke(key);
    assert.equal((await list()).status, 401);
  });

  test('is refused even while a look-up that began before is under way', async () => {
    const { slug, key, list } = await customer();
    const revoke = await makeRevoker(slug);
    const held = holdNext(KEY_LOOK_UP);
    const overtaken = list();
    await held.read;
    await revoke(key);
    const later = list();
    held.release();
    assert.equal((await later).status, 401);
    assert.equal((await overtaken).status, 200);
    assert.equal((await list()).status, 401);
  });
});
