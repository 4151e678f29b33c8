import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import pino from 'pino';
import { buildApp } from '../support/internals.ts';
import { openPool } from '../../src/platform/database/index.ts';
import type { ProblemCode } from '../../src/platform/http/index.ts';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl, SETTINGS, type Answer, type TestApp } from '../support/harness.ts';
import { unknownKey } from '../support/keys.ts';
import { assertProblem } from '../support/problem.ts';

const STOCKLIST = '/api/v1/stocklist';
const CONTACTS = '/api/v1/contacts';
const EMAIL = 'aroha@example.com';

const run = ({ db }: TestApp, text: string) => db.query({ name: '', text, values: [] });

function assertUnavailable(answer: Answer, instance: string): void {
  assertProblem(answer, 'unavailable', instance);
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
}

/** The service on a database that cannot be reached. */
async function buildOnNothing(t: TestContext, config: pg.ClientConfig) {
  const db = openPool({ user: 'offplan', database: 'offplan', ...config }, () => undefined);
  const app = await buildApp({ config: SETTINGS, db, logger: pino({ level: 'silent' }) });
  t.after(() => Promise.all([app.close(), db.end()]));
  return async (method: 'GET' | 'POST', url: string, key?: string): Promise<Answer> => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const payload = { email: EMAIL };
    const request = { method, url, headers, ...(method === 'POST' && { payload }) };
    const response = await app.inject(request);
    const { statusCode: status, headers: answered, payload: text } = response;
    return { status, headers: answered, text, body: response.json() };
  };
}

describe('without a database', () => {
  for (const [what, config] of [
    ['no socket', { host: '/nonexistent' }],
    ['a port without a listener', { host: '127.0.0.1', port: 1 }],
    ['a host name that does not resolve', { host: 'nothing.invalid' }],
  ] as const)
    test(`a request that needs it gets a 503 with Retry-After: ${what}`, async (t) => {
      const send = await buildOnNothing(t, config);
      const key = unknownKey();
      assertUnavailable(await send('GET', STOCKLIST, key), STOCKLIST);
      assertUnavailable(await send('POST', CONTACTS, key), CONTACTS);
      assertUnavailable(await send('GET', '/readyz'), '/readyz');
    });

  test('a request that does not need it gets its answer, and the process counts as alive', async (t) => {
    const send = await buildOnNothing(t, { host: '/nonexistent' });
    assertProblem(await send('GET', STOCKLIST), 'missing_api_key', STOCKLIST);
    assertProblem(await send('GET', STOCKLIST, 'offplan_typo'), 'invalid_api_key', STOCKLIST);
    assertProblem(await send('GET', '/nothing'), 'route_not_found', '/nothing');
    assertProblem(await send('POST', STOCKLIST), 'method_not_allowed', STOCKLIST);
    assert.equal((await send('GET', '/livez')).status, 200);
  });
});

test('requests get a 503 while the database accepts no connection, and answers when it does again', async (t) => {
  const service = await build(t);
  const { key, post, exported } = await developersOf(service)();
  const url = new URL(await databaseUrl(service.db));
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = new pg.Client(url.href);
  await admin.connect();
  t.after(() => admin.end());
  assert.equal((await post({ email: EMAIL })).status, 201);
  const before = await exported();

  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
  for (let n = 0; n < 3; n += 1) {
    assertUnavailable(await post({ email: 'mele@example.com' }), CONTACTS);
    assertUnavailable(
      await service.send({ url: '/api/v1/projects/nothing', key }),
      '/api/v1/projects/nothing',
    );
    const ready = await service.send({ url: '/readyz' });
    assertUnavailable(ready, '/readyz');
    assert.equal(ready.body['detail'], 'The database does not answer.');
  }

  await admin.query(`alter database ${name} with allow_connections true`);
  assert.equal((await service.send({ url: '/readyz' })).status, 200);
  assert.deepEqual(await exported(), before);
  assert.equal((await post({ email: 'mele@example.com' })).status, 201);
});

test('/readyz says that the schema is not that of this release', async (t) => {
  const service = await build(t);
  await run(
    service,
    'delete from schema_migrations where version = (select max(version) from schema_migrations)',
  );
  const ready = await service.send({ url: '/readyz' });
  assertUnavailable(ready, '/readyz');
  assert.equal(ready.body['detail'], 'The schema of the database is not that of this release.');
});

describe('an unexpected error', () => {
  const internalDetails =
    /relation|column|constraint|contacts_|select|insert|postgres|pg\b|\.ts|node_modules|at \w+ \(/i;

  async function assertNoDetails(
    service: TestApp,
    answer: Answer,
    instance: string,
  ): Promise<void> {
    const code: ProblemCode = 'internal_error';
    const { detail, requestId } = assertProblem(answer, code, instance);
    assert.doesNotMatch(detail, internalDetails);
    assert.deepEqual(Object.keys(answer.body).toSorted(), [
      'code',
      'detail',
      'instance',
      'requestId',
      'status',
      'title',
      'type',
    ]);
    const logged = service.log.map((line) => JSON.parse(line)).filter((line) => line.level >= 50);
    assert.ok(logged.some((line) => line.reqId === requestId && line.code !== undefined));
  }

  test('in a write is a 500 without internal details, and nothing is written', async (t) => {
    const service = await build(t);
    const { post, exported } = await developersOf(service)();
    const before = await exported();
    await run(service, `alter table activities add constraint contacts_odd check (body <> 'odd')`);
    const answer = await post({ email: EMAIL, notes: 'odd', tag: 'Never' });
    await assertNoDetails(service, answer, CONTACTS);
    assert.deepEqual(await exported(), before);
    assert.equal((await post({ email: EMAIL, notes: 'even' })).status, 201);
  });

  test('in a read is a 500 without internal details', async (t) => {
    const service = await build(t);
    const { key } = await developersOf(service)();
    await run(service, 'alter table projects rename column name to title');
    const answer = await service.send({ url: STOCKLIST, key });
    await assertNoDetails(service, answer, STOCKLIST);
    // On a Citus, the harness runs EXPLAIN for each statement after the test, so the column must be there.
    await run(service, 'alter table projects rename column title to name');
  });

  test('in the look-up of a key is a 500 without internal details', async (t) => {
    const service = await build(t);
    const { key } = await developersOf(service)();
    await run(service, 'alter table api_keys rename to keys');
    const answer = await service.send({ url: STOCKLIST, key });
    await assertNoDetails(service, answer, STOCKLIST);
  });
});
