import assert from 'node:assert/strict';
import { after, beforeEach, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountIdOf } from '../support/accounts.ts';
import { createSweeper, sweep } from '../support/internals.ts';
import { RETENTION } from '../support/retention.ts';
import {
  openPool,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../src/platform/database/index.ts';
import { isCitus } from '../support/databases.ts';
import { developersOf, type Developer } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { someoneWaits } from '../support/locks.ts';
import { serving, type Serving } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { IDEMPOTENCY_KEY_SWEEP, RECORD_SWEEP } from '../support/statements.ts';
import { subtractTime } from '../support/times.ts';
import { until } from '../support/until.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const { db } = service;

const DAY_MS = 24 * 60 * 60 * 1000;
const CONTACTS = '/api/v1/contacts';
const now = new Date();
const options = { now, onError: (error: unknown) => assert.fail(String(error)) };

interface Row {
  id: string;
  receivedAt: Date;
}

let made = 0;
/** Makes a record that was received at a time. The time in its id can differ. */
function rowAt(ms: number, idMs = ms): Row {
  const digits = idMs.toString(16).padStart(12, '0');
  made += 1;
  const id = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${String(made).padStart(12, '0')}`;
  return { id, receivedAt: new Date(ms) };
}
const cutMs = now.getTime() - RETENTION.importLogDays * DAY_MS;
const many = (count: number, ms: number): Row[] =>
  Array.from({ length: count }, (_, n) => rowAt(ms + n));
const old = (count: number): Row[] => many(count, cutMs - DAY_MS);
const collectIds = (rows: Row[]): string[] => rows.map(({ id }) => id).toSorted();

/** Stores the time of the last sweep. */
async function storeSweep(at: Date, on: Queryable = db): Promise<Date> {
  const text = `insert into sweeps (name, swept_at) values ('imports', $1)
    on conflict (name) do update set swept_at = excluded.swept_at, waited_ms = null, clock_checked_at = null`;
  await run(on, text, [at]);
  return at;
}

async function addRecords(to: Developer, rows: Row[], on = db): Promise<void> {
  const times = rows.map(({ receivedAt }) => receivedAt.toISOString());
  await run(
    on,
    `insert into imports (account_id, id, received_at, channel, payload, outcome, result)
      select $1, id, received_at, 'single', '{}', 'created', '{}'
      from unnest($2::uuid[], $3::timestamptz[]) as r(id, received_at)`,
    [await accountIdOf(on, to), rows.map(({ id }) => id), times],
  );
}

async function recordIds(of: Developer, on = db): Promise<unknown[]> {
  const { rows } = await run(on, 'select id from imports where account_id = $1 order by id', [
    await accountIdOf(on, of),
  ]);
  return rows.map(({ id }) => id);
}

/** Makes a pool of the database in which this function runs the statements outside of transactions. */
const replaceQuery = (query: Queryable['query']): Pool => ({
  query,
  connect: () => db.connect(),
  end: () => db.end(),
  totalCount: 0,
  idleCount: 0,
  waitingCount: 0,
});

/** Makes a pool that counts how many rows of an account each run of the named statement deletes. */
async function counting(name: string, of: Developer) {
  const accountId = await accountIdOf(db, of);
  const counts: (number | null)[] = [];
  const counted = replaceQuery(async (statement) => {
    const result = await db.query<never>(statement);
    if (statement.name === name && statement.values[0] === accountId) counts.push(result.rowCount);
    return result;
  });
  return { counted, counts };
}

describe('a sweep of the import log', () => {
  test('deletes old records in steps of at most 500, and keeps the younger ones of every account', async () => {
    const [busy, other] = [await makeDeveloper(), await makeDeveloper()];
    const [young, others] = [many(10, now.getTime() - DAY_MS), many(3, cutMs + 1_000)];
    await addRecords(busy, [...old(1_200), ...young]);
    await addRecords(other, [...old(2), ...others]);
    const { counted, counts } = await counting(RECORD_SWEEP, busy);
    await sweep(counted, RETENTION, options);
    assert.deepEqual(counts, [500, 500, 200]);
    assert.deepEqual(await recordIds(busy), collectIds(young));
    assert.deepEqual(await recordIds(other), collectIds(others));
  });

  test('judges a record by its time of receipt, which may differ from the time in its id', async () => {
    const developer = await makeDeveloper();
    const gone = [rowAt(cutMs - 1), rowAt(cutMs - 1, cutMs + 30_000)];
    // The last one is a record that was retried after the sweep had deleted it.
    const stays = [
      rowAt(cutMs),
      rowAt(cutMs, cutMs - 30_000),
      rowAt(now.getTime(), cutMs - DAY_MS),
    ];
    await addRecords(developer, [...gone, ...stays]);
    await sweep(db, RETENTION, options);
    assert.deepEqual(await recordIds(developer), collectIds(stays));
  });

  test('skips a record that another transaction has locked, and the next sweep deletes it', async (t) => {
    const developer = await makeDeveloper();
    const rows = old(700);
    await addRecords(developer, rows);
    const held = rows[300]?.id;
    const url = await databaseUrl(db);
    const impatient = openPool(url, () => undefined, { lockTimeoutMs: 1_000 });
    t.after(() => impatient.end());
    await runInTransaction(db, async (tx) => {
      await run(tx, 'select from imports where account_id = $1 and id = $2 for update', [
        await accountIdOf(db, developer),
        held,
      ]);
      await sweep(impatient, RETENTION, options);
      assert.deepEqual(await recordIds(developer), [held]);
    });
    await sweep(db, RETENTION, options);
    assert.deepEqual(await recordIds(developer), []);
  });

  test('runs while leads are imported, and deletes none of their records', async () => {
    const developer = await makeDeveloper();
    await addRecords(developer, old(3_000));
    const { counted, counts } = await counting(RECORD_SWEEP, developer);
    const swept = sweep(counted, RETENTION, options);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => developer.post({ email: `lead-${n}@example.com` })),
    );
    await swept;
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.deepEqual(counts, [500, 500, 500, 500, 500, 500, 0]);
    assert.equal((await recordIds(developer)).length, 40);
  });

  test('can run on two servers at once', async () => {
    const developer = await makeDeveloper();
    await addRecords(developer, old(3_000));
    const [one, another] = [
      await counting(RECORD_SWEEP, developer),
      await counting(RECORD_SWEEP, developer),
    ];
    await Promise.all([
      sweep(one.counted, RETENTION, options),
      sweep(another.counted, RETENTION, options),
    ]);
    const counts = [...one.counts, ...another.counts];
    assert.equal(
      counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
      3_000,
    );
    assert.deepEqual(await recordIds(developer), []);
  });

  test('ends after its current statement when it is stopped', async () => {
    const developer = await makeDeveloper();
    await addRecords(developer, old(1_200));
    const stop = new AbortController();
    const stopping = replaceQuery(async (statement) => {
      const result = await db.query<never>(statement);
      if (result.rowCount === 500) stop.abort();
      return result;
    });
    await sweep(stopping, RETENTION, { ...options, signal: stop.signal });
    assert.equal((await recordIds(developer)).length, 700);
    await sweep(db, RETENTION, options);
  });
});

test('a failure in one account keeps nothing else from being swept', async () => {
  const [broken, other] = [await makeDeveloper(), await makeDeveloper()];
  for (const developer of [broken, other]) await addRecords(developer, old(2));
  const accountId = await accountIdOf(db, broken);
  const failing = replaceQuery((statement) => {
    const { name, values } = statement;
    if (name === RECORD_SWEEP && values[0] === accountId) throw new Error('broken');
    return db.query(statement);
  });
  const failed: unknown[] = [];
  const onError = (_: unknown, step?: object): void => void failed.push(step);
  await sweep(failing, RETENTION, { now, onError });
  assert.deepEqual(failed, [{ step: 'import log', accountId }]);
  assert.deepEqual(
    [await recordIds(broken), await recordIds(other)].map(({ length }) => length),
    [2, 0],
  );
});

describe('a sweep of idempotency keys', () => {
  const post = (to: Developer, key: string, email: string) =>
    service.send({
      method: 'POST',
      url: CONTACTS,
      key: to.key,
      headers: { 'idempotency-key': key },
      payload: { email },
    });
  const age = async (of: Developer, key: string, ms: number) =>
    run(db, 'update idempotency_keys set claimed_at = $3 where account_id = $1 and key = $2', [
      await accountIdOf(db, of),
      key,
      new Date(now.getTime() - ms),
    ]);
  const keysOf = async (of: Developer): Promise<unknown[]> => {
    const { rows } = await run(
      db,
      'select key from idempotency_keys where account_id = $1 order by key',
      [await accountIdOf(db, of)],
    );
    return rows.map(({ key }) => key);
  };

  test('deletes keys of more than 24 hours, and keeps those whose requests can still be repeated', async () => {
    const developer = await makeDeveloper();
    for (const key of ['new', 'old', 'young']) await post(developer, key, `${key}@example.com`);
    await age(developer, 'old', DAY_MS + 1);
    await age(developer, 'young', DAY_MS);
    await sweep(db, RETENTION, options);
    assert.deepEqual(await keysOf(developer), ['new', 'young']);
    const again = await post(developer, 'new', 'new@example.com');
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal((await post(developer, 'old', 'old@example.com')).status, 200);
  });

  test('deletes keys in steps of at most 500, even when all have one time', async () => {
    const developer = await makeDeveloper();
    await post(developer, 'first', 'first@example.com');
    await age(developer, 'first', DAY_MS * 2);
    await run(
      db,
      `insert into idempotency_keys (account_id, api_key_id, key, request_sha256, claim_id, claimed_at)
        select account_id, api_key_id, n::text, request_sha256, claim_id, claimed_at
        from idempotency_keys, generate_series(1, 1199) n where account_id = $1`,
      [await accountIdOf(db, developer)],
    );
    const { counted, counts } = await counting(IDEMPOTENCY_KEY_SWEEP, developer);
    await sweep(counted, RETENTION, options);
    assert.deepEqual(counts, [500, 500, 200]);
    assert.deepEqual(await keysOf(developer), []);
  });
});

test(
  'a sweep of the events reads few more than it deletes, even with the default costs of PostgreSQL',
  { skip: isCitus() && 'the counts of rows are on the workers' },
  async (t) => {
    const own = await build(t);
    const accountId = await accountIdOf(own.db, await developersOf(own)());
    await run(
      own.db,
      `insert into events (account_id, sequence, type, subject, at, actor_type, data)
      select $1, n, 'contact.enquired', $1, case when n <= 1500 then $2::timestamptz else $3 end, 'command',
        json_build_object('source', repeat('Website ', 50))
      from generate_series(1001, 21000) n`,
      [accountId, new Date(now.getTime() - 60 * DAY_MS), now],
    );
    await run(own.db, 'analyze events');
    const costs = '-c random_page_cost=4 -c enable_seqscan=on';
    const byDefaults = openPool(await databaseUrl(own.db), () => undefined, {
      max: 1,
      serverOptions: costs,
    });
    t.after(() => byDefaults.end());
    const [counts] = await runInTransaction(byDefaults, async (tx) => {
      await sweep(
        replaceQuery((statement) => tx.query(statement)),
        RETENTION,
        options,
      );
      const text = `select n_tup_del::int as deleted, (seq_tup_read + idx_tup_fetch)::int as read
      from pg_stat_xact_user_tables where relname = 'events'`;
      return (await run(tx, text)).rows as { deleted: number; read: number }[];
    });
    const { deleted = 0, read = Infinity } = counts ?? {};
    assert.ok(deleted >= 500 && read <= 3 * deleted, `${read} rows read, ${deleted} deleted`);
  },
);

const onError = (error: unknown) => assert.fail(String(error));

describe('the sweeper', () => {
  const onJump = () => assert.fail();
  const soon = {
    firstAfterMs: 1,
    everyMs: 20,
    onJump,
  };

  beforeEach(() => storeSweep(new Date()));

  test('sweeps again and again, even after a sweep that failed', async () => {
    const developer = await makeDeveloper();
    const errors: unknown[] = [];
    const failure = new Error('gone');
    const flaky = replaceQuery((statement) => {
      if (errors.length < 2) throw failure;
      return db.query(statement);
    });
    const stop = createSweeper(flaky, RETENTION, {
      ...soon,
      onError: (error) => void errors.push(error),
    });
    for (let times = 0; times < 2; times += 1) {
      await addRecords(developer, old(3));
      await until(async () => (await recordIds(developer)).length === 0);
    }
    await stop();
    assert.deepEqual(errors, [failure, failure]);
    await addRecords(developer, old(3));
    await sleep(100);
    assert.equal((await recordIds(developer)).length, 3);
  });

  test('has ended its last statement when the stop returns', async () => {
    const developer = await makeDeveloper();
    await addRecords(developer, old(600));
    let underWay = 0;
    const slow = replaceQuery(async (statement) => {
      underWay += 1;
      await sleep(100);
      const result = await db.query<never>(statement);
      underWay -= 1;
      return result;
    });
    const stop = createSweeper(slow, RETENTION, { ...soon, onError });
    await until(() => underWay === 1);
    await stop();
    assert.equal(underWay, 0);
    assert.equal((await recordIds(developer)).length, 600);
  });

  test('stops at once before its first sweep', async () => {
    let count = 0;
    const counting = replaceQuery((statement) => {
      count += 1;
      return db.query(statement);
    });
    await createSweeper(counting, RETENTION, { onError, onJump })();
    assert.equal(count, 0);
  });
});

describe('a sweeper whose clock is more than a day past the last sweep', () => {
  const HOUR_MS = DAY_MS / 24;
  const AHEAD_MS = 400 * DAY_MS;

  /** Starts a sweeper by a clock that only the test moves. */
  async function sweeping(t: TestContext, on = db, wallMs = Date.now() + AHEAD_MS) {
    const time = { wallMs, uptimeMs: 60_000 };
    const jumps: { lastSweptAt: Date; now: Date; waitMs: number }[] = [];
    const clock = {
      now: () => new Date(time.wallMs),
      uptimeMs: () => time.uptimeMs,
    };
    const stop = createSweeper(on, RETENTION, {
      clock,
      onError,
      onJump: (jump) => void jumps.push(jump),
      firstAfterMs: 1,
      everyMs: 10,
    });
    t.after(stop);
    const pass = (ms: number): void => {
      time.wallMs += ms;
      time.uptimeMs += ms;
    };
    const nextJump = async () => {
      const seen = jumps.length;
      // The first of them may have begun before.
      await until(() => jumps.length > seen + 1);
      return jumps.at(-1);
    };
    return { time, pass, jumps, nextJump, stop };
  }

  /** Runs a sweep of another server, whose clock is right. */
  async function sweepByRightClock(): Promise<void> {
    const readTime = async () =>
      (await run(db, 'select swept_at from sweeps')).rows[0]?.['swept_at'];
    const before = await readTime();
    const stop = createSweeper(db, RETENTION, {
      onError,
      onJump: () => assert.fail(),
      firstAfterMs: 1,
    });
    await until(async () => (await readTime()) > before);
    await stop();
  }

  /** Lets hours pass, with a sweep in each as in a service that runs. Returns the last jump. */
  async function passHours(
    { pass, nextJump }: Awaited<ReturnType<typeof sweeping>>,
    hours: number,
  ) {
    for (let hour = 0; hour < hours; hour += 1) {
      await nextJump();
      pass(HOUR_MS);
    }
    return nextJump();
  }

  test('deletes nothing, says so, and believes the clock after 24 hours', async (t) => {
    const lastSweptAt = await storeSweep(new Date());
    const developer = await makeDeveloper();
    await addRecords(developer, many(3, Date.now()));
    const sweeper = await sweeping(t);
    const first = await sweeper.nextJump();
    assert.deepEqual([first?.lastSweptAt, first?.waitMs], [lastSweptAt, DAY_MS]);
    assert.equal((await passHours(sweeper, 23))?.waitMs, HOUR_MS);
    assert.equal((await recordIds(developer)).length, 3);
    sweeper.pass(HOUR_MS);
    await until(async () => (await recordIds(developer)).length === 0);
  });

  test('goes on waiting after a restart, and counts two hours of a stop', async (t) => {
    await storeSweep(new Date());
    const developer = await makeDeveloper();
    await addRecords(developer, many(3, Date.now()));
    const first = await sweeping(t);
    await passHours(first, 10);
    await first.stop();
    const second = await sweeping(t, db, first.time.wallMs + 10 * HOUR_MS);
    assert.equal((await second.nextJump())?.waitMs, 12 * HOUR_MS);
    await passHours(second, 11);
    assert.equal((await recordIds(developer)).length, 3);
    second.pass(HOUR_MS);
    await until(async () => (await recordIds(developer)).length === 0);
  });

  test('counts at most two hours when the clock jumps again', async (t) => {
    await storeSweep(new Date());
    const developer = await makeDeveloper();
    await addRecords(developer, many(3, Date.now()));
    const { time, nextJump } = await sweeping(t);
    await nextJump();
    for (const [jumpMs, waitMs] of [
      [23 * HOUR_MS, 22 * HOUR_MS],
      [-HOUR_MS, 22 * HOUR_MS],
      [AHEAD_MS, 20 * HOUR_MS],
    ] as const) {
      time.wallMs += jumpMs;
      assert.equal((await nextJump())?.waitMs, waitMs);
    }
    assert.equal((await recordIds(developer)).length, 3);
  });

  test('sweeps when the clock is set right, and waits anew when it is wrong again', async (t) => {
    await storeSweep(new Date());
    const developer = await makeDeveloper();
    await addRecords(developer, [...old(2), ...many(3, Date.now())]);
    const sweeper = await sweeping(t);
    const { time, nextJump } = sweeper;
    await passHours(sweeper, 23);
    time.wallMs = Date.now();
    await until(async () => (await recordIds(developer)).length === 3);
    time.wallMs += AHEAD_MS;
    assert.equal((await nextJump())?.waitMs, DAY_MS);
    assert.equal((await recordIds(developer)).length, 3);
  });

  test('never believes it while another server sweeps', async (t) => {
    await storeSweep(new Date());
    const developer = await makeDeveloper();
    await addRecords(developer, many(3, Date.now()));
    const { pass, nextJump } = await sweeping(t);
    for (let times = 0; times < 3; times += 1) {
      await nextJump();
      pass(20 * HOUR_MS);
      await sweepByRightClock();
    }
    assert.equal((await nextJump())?.waitMs, DAY_MS);
    assert.equal((await recordIds(developer)).length, 3);
  });

  test('waits anew when another server sweeps at the same moment', async (t) => {
    await storeSweep(new Date());
    const sweeper = await sweeping(t);
    assert.equal((await passHours(sweeper, 2))?.waitMs, 22 * HOUR_MS);
    await runInTransaction(db, async (tx) => {
      await storeSweep(new Date(), tx);
      await someoneWaits(db);
    });
    assert.equal((await sweeper.nextJump())?.waitMs, DAY_MS);
  });

  test('compares it with the newest row of a database that was never swept, and keeps idempotency keys', async (t) => {
    const own = await build(t);
    const developer = await developersOf(own)();
    for (const name of ['a', 'b'])
      await own.send({
        method: 'POST',
        url: CONTACTS,
        key: developer.key,
        headers: { 'idempotency-key': name },
        payload: { email: `${name}@example.com` },
      });
    const rows = async () =>
      (
        await run(
          own.db,
          'select (select count(*) from imports) + (select count(*) from idempotency_keys) as n',
        )
      ).rows[0]?.['n'];
    const before = await rows();
    const { nextJump, stop } = await sweeping(t, own.db);
    const jump = await nextJump();
    assert.ok(jump && Math.abs(jump.lastSweptAt.getTime() - Date.now()) < DAY_MS);
    // A row by the wrong clock is no proof that it is right.
    await run(own.db, 'update imports set received_at = $1', [new Date(Date.now() + AHEAD_MS)]);
    await nextJump();
    assert.deepEqual([before, await rows()], ['4', '4']);
    // Before the pool of its database ends.
    await stop();
  });
});

describe('offplan serve', () => {
  const started = async (t: TestContext, url: string): Promise<Serving> => {
    const server = await serving({
      LOG_LEVEL: 'warn',
      DATABASE_URL: url,
      OFFPLAN_IMPORT_LOG_DAYS: '2',
      OFFPLAN_EVENT_DAYS: '2',
    });
    t.after(() => void server.child.kill('SIGKILL'));
    return server;
  };

  test('deletes records that are older than OFFPLAN_IMPORT_LOG_DAYS', async (t) => {
    const developer = await makeDeveloper();
    await storeSweep(new Date());
    const [gone, stays] = [many(3, Date.now() - 3 * DAY_MS), many(3, Date.now() - DAY_MS)];
    await addRecords(developer, [...gone, ...stays]);
    const server = await started(t, await databaseUrl(db));
    await until(async () => (await recordIds(developer)).length === 3);
    assert.deepEqual(await recordIds(developer), collectIds(stays));
    assert.equal(await server.stop(), 0);
  });

  test('deletes events that are older than OFFPLAN_EVENT_DAYS, and no changes', async (t) => {
    const own = await build(t);
    const developer = await developersOf(own)();
    await storeSweep(new Date(), own.db);
    const accountId = await accountIdOf(own.db, developer);
    const count = async (table: string) =>
      (
        await run(own.db, `select count(*)::int as n from ${table} where account_id = $1`, [
          accountId,
        ])
      ).rows[0]?.['n'] as number;
    const changes = await count('changes');
    for (const table of ['events', 'changes'])
      await run(
        own.db,
        `update ${table} set at = ${subtractTime('at', `interval '3 days'`)} where account_id = $1 and sequence <= 5`,
        [accountId],
      );
    const events = await count('events');
    const server = await started(t, await databaseUrl(own.db));
    await until(async () => (await count('events')) === events - 5);
    assert.equal(await count('changes'), changes);
    assert.equal(await server.stop(), 0);
  });

  test('deletes nothing when the clock is 400 days past the newest row, and logs that', async (t) => {
    const own = await build(t);
    const developer = await developersOf(own)();
    await addRecords(developer, many(3, Date.now() - 400 * DAY_MS), own.db);
    const server = await started(t, await databaseUrl(own.db));
    let logged = '';
    server.child.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    // The log has other warnings when the database is slow.
    const findLine = () => logged.split('\n').find((each) => each.includes('past the last sweep'));
    await until(() => logged.endsWith('\n') && findLine() !== undefined);
    const line = JSON.parse(findLine() ?? '');
    assert.deepEqual([line.level, line.waitHours], ['warn', 24]);
    assert.equal((await recordIds(developer, own.db)).length, 3);
    assert.equal(await server.stop(), 0);
  });

  test('serves requests when a sweep fails, and logs the failure', async (t) => {
    const broken = await build(t);
    const { key } = await developersOf(broken)();
    await run(broken.db, 'alter table imports rename to records');
    const server = await started(t, await databaseUrl(broken.db));
    let logged = '';
    server.child.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    const findLine = () => logged.split('\n').find((each) => each.includes('the sweep failed'));
    await until(() => logged.endsWith('\n') && findLine() !== undefined);
    const line = JSON.parse(findLine() ?? '');
    assert.deepEqual([line.level, line.code], ['warn', '42P01']);
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await fetch(`${server.url}/api/v1/stocklist`, { headers })).status, 200);
    assert.equal(await server.stop(), 0);
  });
});
