import assert from 'node:assert/strict';
import { after, afterEach, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isUnavailable,
  COMMAND_TIMEOUTS,
  REQUEST_TIMEOUTS,
  openPool,
  runInTransaction,
  type Timeouts,
  type Pool,
  type Queryable,
} from '../../src/platform/database/index.ts';
import { isCitus } from '../support/databases.ts';
import { developersOf } from '../support/developer.ts';
import { startFaultyProxy } from '../support/faults.ts';
import { build, createDatabase, databaseUrl } from '../support/harness.ts';
import { instance } from '../support/instances.ts';
import { whileLocked } from '../support/locks.ts';
import { offplan, serving } from '../support/process.ts';
import {
  all,
  assertUnavailable,
  isUnavailable as isUnavailableAnswer,
  KEY_REMEMBERED_MS,
  oneOfEachKind,
  reads,
  lead,
  send,
  untilNormal,
  type Answered,
} from '../support/requests.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const CLIENTS = 8;
/** Options of the tests of leads. */
const OF_LEADS = {
  skip: isCitus() && 'leads go to the worker of their account, not through the proxy',
};

const service = await build({ after });
const makeDeveloper = developersOf(service);
const developer = await makeDeveloper();
const proxy = await startFaultyProxy({ after }, service.db);
const server = await serving({ DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' });
after(() => server.stop('SIGKILL'));

// A test that fails must not make the next ones fail.
afterEach(() => proxy.reset());

const requests = (isCitus() ? reads : oneOfEachKind)(server.url, developer.key);
const leads: string[] = [];

/** Imports a lead, and notes it when the service has acknowledged it. */
async function importLead(): Promise<Answered> {
  const body = lead();
  const answered = await send(server.url, developer.key, '/api/v1/contacts', body);
  if (answered.status === 201) leads.push(body.email);
  else await sleep(20);
  return answered;
}

/**
 * Sends imports from 8 clients during `work`, which sees their answers so far. Returns all answers: each lead is imported
 * or refused with a 503.
 */
async function underLoad(work: (answers: Answered[]) => Promise<void>): Promise<Answered[]> {
  const answers: Answered[] = [];
  const done = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!done.signal.aborted) answers.push(await importLead());
  });
  await until(() => answers.length >= CLIENTS);
  await work(answers);
  const before = answers.length;
  await until(() => answers.length >= before + CLIENTS);
  done.abort();
  await Promise.all(clients);
  for (const each of answers)
    assert.ok(each.status === 201 || isUnavailableAnswer(each), JSON.stringify(each));
  return answers;
}

/** Asserts that every acknowledged lead is stored, and nothing twice. */
async function assertNothingLost(): Promise<void> {
  const { contacts } = (await developer.exported()) as {
    contacts: { email: string; tags: string[]; activities: object[] }[];
  };
  const emails = contacts.map(({ email }) => email);
  assert.equal(new Set(emails).size, emails.length);
  for (const email of leads) assert.ok(emails.includes(email), `${email} is lost`);
  for (const { tags, activities } of contacts)
    assert.deepEqual([tags.length, activities.length], [1, 1]);
}

// test/long/faults.test.ts measures that both come within 2 seconds.
describe('requests get a 503, and normal answers after the end of it, when PostgreSQL', () => {
  test('is frozen', async () => {
    await untilNormal(requests);
    await underLoad(async () => {
      proxy.freeze();
      await sleep(KEY_REMEMBERED_MS);
      for (let n = 0; n < 2; n += 1) {
        assertUnavailable(await all(requests));
        assert.equal((await send(server.url, developer.key, '/livez')).status, 200);
        await sleep(300);
      }
      proxy.thaw();
      await untilNormal(requests);
    });
    await assertNothingLost();
  });

  test('is behind a proxy that accepts connections and hangs', async () => {
    await underLoad(async () => {
      proxy.drop();
      proxy.freeze();
      await sleep(KEY_REMEMBERED_MS);
      for (let n = 0; n < 2; n += 1) assertUnavailable(await all(requests));
      proxy.thaw();
      await untilNormal(requests);
    });
    await assertNothingLost();
  });

  test('refuses connections', async () => {
    await underLoad(async () => {
      proxy.refuse();
      proxy.drop();
      await sleep(KEY_REMEMBERED_MS);
      assertUnavailable(await all(requests));
      await proxy.accept();
      await untilNormal(requests);
    });
    await assertNothingLost();
  });

  test('drops connections in the middle of transactions', OF_LEADS, async () => {
    const answers = await underLoad(async () => {
      for (let n = 0; n < 40; n += 1) {
        proxy.drop();
        await sleep(Math.random() * 30);
      }
      await untilNormal(requests);
    });
    assert.ok(answers.some(isUnavailableAnswer));
    await assertNothingLost();
  });

  test('stays silent on its connections but accepts new ones', OF_LEADS, async () => {
    await underLoad(async (answers) => {
      proxy.strand();
      await until(() => answers.some(isUnavailableAnswer));
      await untilNormal(requests);
    });
    await assertNothingLost();
  });
});

test('requests get a 503 while all connections are in use, however many wait', async (t) => {
  const url = await databaseUrl(service.db);
  const limits = { ...REQUEST_TIMEOUTS, lockTimeoutMs: 20_000, max: 3 };
  const pool = openPool(url, () => undefined, limits);
  const app = await instance(t, pool);
  t.after(() => pool.end());
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const sends = oneOfEachKind(address, developer.key);
  const lock = (tx: Queryable) => run(tx, 'select pg_advisory_xact_lock(1)');
  const useConnection = () => runInTransaction(pool, lock);
  const { ended } = await runInTransaction(service.db, async (tx) => {
    await lock(tx);
    const used = [useConnection(), useConnection()];
    // The service caches the key for a moment, so that imports reach their queue.
    assert.equal((await send(address, developer.key, '/api/v1/contacts', {})).status, 400);
    used.push(useConnection());
    for (let n = 0; n < 2; n += 1) {
      const wave = Array.from({ length: 4 }, () => all(sends));
      assertUnavailable((await Promise.all(wave)).flat());
    }
    return { ended: Promise.all(used) };
  });
  await ended;
  await untilNormal(sends);
});

test(
  'imports get normal answers again after the connection of one was lost before its COMMIT',
  OF_LEADS,
  async () => {
    const post = () => send(server.url, developer.key, '/api/v1/contacts', lead());
    await untilNormal(requests);
    proxy.breakNextCommit('connection is lost');
    assertUnavailable([await post()]);
    // The transaction has its locks until PostgreSQL ends it.
    await untilNormal([post]);
  },
);

test(
  'an import whose COMMIT is not answered is a 503, and is stored once when it is repeated',
  OF_LEADS,
  async () => {
    const body = lead();
    const post = () => send(server.url, developer.key, '/api/v1/contacts', body);
    await untilNormal(requests);
    assert.equal((await post()).status, 201);
    proxy.breakNextCommit('answer is held');
    assertUnavailable([await post()]);
    proxy.thaw();
    await untilNormal(requests);
    assert.equal((await post()).status, 200);
    const { tags, activities } = await developer.contact(body.email);
    assert.deepEqual([tags.length, activities.length], [1, 1]);
  },
);

test(
  'an import whose answer to COMMIT is lost is a 503, and is stored once when it is repeated',
  OF_LEADS,
  async () => {
    const body = lead();
    const post = (firstName: string) =>
      send(server.url, developer.key, '/api/v1/contacts', { ...body, firstName });
    await untilNormal(requests);
    assert.equal((await post('Aroha')).status, 201);
    proxy.breakNextCommit('answer is lost');
    assertUnavailable([await post('Mere')]);
    await untilNormal(requests);
    assert.equal((await post('Mere')).status, 200);
    const { activities } = await developer.contact(body.email);
    assert.equal(activities.length, 1);
  },
);

/**
 * Opens a pool through the proxy. PostgreSQL counts as silent after the time of requests: with a shorter one, a busy machine would
 * count as silence, since each probe opens a connection.
 */
function openThroughProxy(t: TestContext, url = proxy.url, limits: Partial<Timeouts> = {}): Pool {
  const pool = openPool(url, () => undefined, { ...REQUEST_TIMEOUTS, ...limits });
  t.after(() => pool.end());
  return pool;
}

const { silenceMs } = REQUEST_TIMEOUTS;
const isFalse = () => false;
const selectOne = (tx: Queryable) => run(tx, 'select 1');

test('a connection that PostgreSQL ends right after it was made does not end the process', async (t) => {
  // The service opens connections of its own through the other proxy.
  const ending = await startFaultyProxy(t, service.db);
  const pool = openThroughProxy(t, ending.url);
  ending.endNextWhenReady();
  await assert.rejects(runInTransaction(pool, selectOne), isUnavailable);
  await runInTransaction(pool, selectOne);
});

test('after PostgreSQL ended the connection of a statement, the next one gets another', async (t) => {
  const url = await databaseUrl(service.db);
  const pool = openPool(url, () => undefined, { ...REQUEST_TIMEOUTS, max: 1 });
  t.after(() => pool.end());
  const end = 'select pg_terminate_backend(pg_backend_pid())';
  for (let n = 0; n < 10; n += 1) {
    await assert.rejects(run(pool, end), { code: '57P01' });
    await run(pool, 'select 1');
  }
});

test('after a new connection timed out nothing waits for another one, until PostgreSQL answers', async (t) => {
  const hanging = await startFaultyProxy(t, service.db);
  hanging.freeze();
  const pool = openThroughProxy(t, hanging.url);
  const failAtOnce = { message: 'the database does not answer' };
  await assert.rejects(pool.connect(), isUnavailable);
  for (let n = 0; n < 50; n += 1) {
    await assert.rejects(pool.connect(), failAtOnce);
    await sleep(silenceMs / 50);
  }
  hanging.thaw();
  await until(() => runInTransaction(pool, selectOne).then(() => true, isFalse));
});

test('behind a pooler, a statement on a lost connection becomes unavailable after the time limit of statements', async (t) => {
  const pooler = await startFaultyProxy(t, service.db);
  pooler.disguise();
  const pool = openThroughProxy(t, pooler.url, { statementTimeoutMs: 500 });
  const work = async (tx: Queryable) => {
    await selectOne(tx);
    pooler.strand();
    await selectOne(tx);
  };
  await assert.rejects(runInTransaction(pool, work), isUnavailable);
});

test('a slow statement, and work between two statements, do not count as silence', async (t) => {
  const pool = openThroughProxy(t);
  await runInTransaction(pool, async (tx) => {
    await run(tx, `select pg_sleep(${(1.2 * silenceMs) / 1000})`);
    await sleep(1.2 * silenceMs);
    await selectOne(tx);
  });
});

test('the log says why an idle connection was lost', async (t) => {
  const db = await createDatabase(t);
  const watched = await serving({ DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'warn' });
  t.after(() => watched.stop());
  // A connection that is ended while it connects or has a statement was not idle: its caller gets the error.
  const idle = `pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and state = 'idle' and state_change < now() - interval '100 ms'`;
  await until(async () => {
    await run(db, `select pg_terminate_backend(pid) from ${idle}`);
    return /"code":"57P01".*an idle database connection was lost/.test(watched.logged());
  });
});

test('a connection whose slow statement is answered while lost connections are looked for stays open', async (t) => {
  const watched = await startFaultyProxy(t, service.db);
  const pool = openThroughProxy(t, watched.url);
  const searching = watched.delayNextSearch();
  await runInTransaction(pool, async (tx) => {
    let waiting: Promise<unknown> | undefined;
    let forwardSearch = async () => {};
    await whileLocked(service.db, 'account_slugs', async () => {
      waiting = run(tx, 'lock table account_slugs');
      forwardSearch = await searching;
    });
    await waiting;
    // The breaker notices at its next tick, a sixth of this time, that bytes have arrived.
    await sleep(silenceMs / 3);
    await forwardSearch();
    await sleep(50);
    await selectOne(tx);
  });
});

test('a statement that exceeds a time limit is unavailable, and the next transaction works', async (t) => {
  const limits = { statementTimeoutMs: 200, idleTransactionTimeoutMs: 200 };
  const pool = openThroughProxy(t, proxy.url, limits);
  const slowStatement = (tx: Queryable) => run(tx, 'select pg_sleep(5)');
  const idleTransaction = async (tx: Queryable) => {
    await sleep(500);
    return selectOne(tx);
  };
  for (const work of [slowStatement, idleTransaction]) {
    await assert.rejects(runInTransaction(pool, work), isUnavailable);
    await runInTransaction(pool, selectOne);
  }
});

test('PostgreSQL gets the time limits of requests from the service, and those of commands from a command', async (t) => {
  const watched = await startFaultyProxy(t, service.db);
  const environment = { DATABASE_URL: watched.url, LOG_LEVEL: 'silent' };
  const serviceOnProxy = await serving(environment);
  t.after(() => serviceOnProxy.stop('SIGKILL'));
  await send(serviceOnProxy.url, developer.key, '/api/v1/stocklist');
  // It opens connections again for as long as it runs.
  await serviceOnProxy.stop();
  const byService = watched.parameters().length;
  assert.equal((await offplan(['export', developer.slug], environment)).code, 0);
  for (const [begun, limits] of [
    [watched.parameters().slice(0, byService), REQUEST_TIMEOUTS],
    [watched.parameters().slice(byService), COMMAND_TIMEOUTS],
  ] as const) {
    assert.ok(begun.length > 0);
    for (const parameters of begun)
      assert.partialDeepStrictEqual(parameters, {
        statement_timeout: String(limits.statementTimeoutMs),
        lock_timeout: String(limits.lockTimeoutMs),
      });
    const idle = begun.map((each) => each['idle_in_transaction_session_timeout']);
    assert.deepEqual(new Set(idle), new Set([limits.idleTransactionTimeoutMs?.toString()]));
  }
});
