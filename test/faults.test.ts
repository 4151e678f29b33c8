import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/cli/database.ts';
import { readConfig } from '../src/platform/config/index.ts';
import {
  isUnavailable as isUnavailableError,
  COMMAND_LIMITS,
  REQUEST_LIMITS,
  openPool,
  transaction,
  type Queryable,
} from '../src/platform/database/index.ts';
import { developersOf } from './developer.ts';
import { faultyLine } from './faults.ts';
import { build, databaseUrl } from './harness.ts';
import { accountIdOf, instance, run } from './instances.ts';
import { lockEmails } from './locks.ts';
import { serving } from './process.ts';
import {
  all,
  assertSoonNormal,
  assertSoonUnavailable,
  isUnavailable,
  KEY_REMEMBERED_MS,
  kinds,
  lead,
  send,
  SOON_MS,
  type Answered,
} from './requests.ts';

const CLIENTS = 8;

const service = await build({ after });
const developer = developersOf(service);
const made = await developer();
const line = await faultyLine({ after }, service.db);
const server = await serving({ DATABASE_URL: line.url, LOG_LEVEL: 'silent' });
after(() => server.stop('SIGKILL'));

const requests = kinds(server.url, made.key);
const leads: string[] = [];

/** An import that is noted when it is acknowledged. */
async function importLead(): Promise<Answered> {
  const body = lead();
  const answered = await send(server.url, made.key, '/api/v1/contacts', body);
  if (answered.status === 201) leads.push(body.email);
  else await sleep(20);
  return answered;
}

/** Sends imports from 8 clients while `work` is done, and gives their answers. */
async function underLoad(work: () => Promise<void>): Promise<Answered[]> {
  const answers: Answered[] = [];
  const done = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!done.signal.aborted) answers.push(await importLead());
  });
  await sleep(300);
  await work();
  await sleep(300);
  done.abort();
  await Promise.all(clients);
  return answers;
}

/** That what was acknowledged is there, and everything once. */
async function assertNothingLost(): Promise<void> {
  const { contacts } = (await made.exported()) as {
    contacts: { email: string; tags: string[]; activities: object[] }[];
  };
  const emails = contacts.map(({ email }) => email);
  assert.equal(new Set(emails).size, emails.length);
  for (const email of leads) assert.ok(emails.includes(email), `${email} is lost`);
  for (const { tags, activities } of contacts)
    assert.deepEqual([tags.length, activities.length], [1, 1]);
}

describe('each request is 503 within 2 seconds, and normal within 2 seconds of the database, when the database', () => {
  test('is frozen', async () => {
    await assertSoonNormal(requests);
    const answers = await underLoad(async () => {
      line.freeze();
      await sleep(KEY_REMEMBERED_MS);
      for (let n = 0; n < 2; n += 1) {
        assertSoonUnavailable(await all(requests));
        assert.equal((await send(server.url, made.key, '/livez')).status, 200);
        await sleep(300);
      }
      line.thaw();
      await assertSoonNormal(requests);
    });
    for (const each of answers)
      assert.ok(each.status === 201 || isUnavailable(each), JSON.stringify(each));
    for (const { ms } of answers) assert.ok(ms < SOON_MS, `${ms} ms`);
    await assertNothingLost();
  });

  test('refuses connections', async () => {
    const answers = await underLoad(async () => {
      line.refuse();
      line.drop();
      await sleep(KEY_REMEMBERED_MS);
      assertSoonUnavailable(await all(requests));
      await line.accept();
      await assertSoonNormal(requests);
    });
    for (const each of answers) assert.ok(each.status === 201 || isUnavailable(each));
    await assertNothingLost();
  });

  test('drops connections in the middle of transactions', async () => {
    const answers = await underLoad(async () => {
      for (let n = 0; n < 40; n += 1) {
        line.drop();
        await sleep(Math.random() * 30);
      }
      await assertSoonNormal(requests);
    });
    for (const each of answers) assert.ok(each.status === 201 || isUnavailable(each));
    assert.ok(answers.some(isUnavailable));
    await assertNothingLost();
  });

  test('has lost the connections without a word, and takes new ones', async () => {
    const answers = await underLoad(async () => {
      line.strand();
      await sleep(1_000);
      await assertSoonNormal(requests);
    });
    for (const each of answers) {
      assert.ok(each.status === 201 || isUnavailable(each), JSON.stringify(each));
      assert.ok(each.ms < SOON_MS, `${each.ms} ms`);
    }
    assert.ok(answers.some(isUnavailable));
    await assertNothingLost();
  });
});

test('a request that gets no connection is 503 within 2 seconds, and so is each that waits behind it', async (t) => {
  const url = await databaseUrl(service.db);
  const limits = { ...REQUEST_LIMITS, lockTimeoutMs: 20_000, max: 3 };
  const pool = openPool(url, () => undefined, limits);
  const app = await instance(t, pool);
  t.after(() => pool.end());
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const sends = kinds(address, made.key);
  const lock = (tx: Queryable) => run(tx, 'select pg_advisory_xact_lock(1)');
  const hold = () => transaction(pool, lock);
  const { holding } = await transaction(service.db, async (tx) => {
    await lock(tx);
    const held = [hold(), hold()];
    // Its key is known for a moment then, so that imports come as far as their queue.
    assert.equal((await send(address, made.key, '/api/v1/contacts', {})).status, 400);
    held.push(hold());
    for (let n = 0; n < 2; n += 1) {
      const wave = Array.from({ length: 4 }, () => all(sends));
      assertSoonUnavailable((await Promise.all(wave)).flat());
    }
    // What has waited behind others is not made to wait as long again.
    const startMs = performance.now();
    await assert.rejects(hold(), isUnavailableError);
    assert.ok(performance.now() - startMs < 500);
    return { holding: Promise.all(held) };
  });
  await holding;
  await assertSoonNormal(sends);
});

test('an import whose COMMIT is not answered is 503 within 2 seconds, and is stored once when it is repeated', async () => {
  const body = lead();
  const post = () => send(server.url, made.key, '/api/v1/contacts', body);
  await assertSoonNormal(requests);
  assert.equal((await post()).status, 201);
  line.breakNextCommit('answer is held');
  assertSoonUnavailable([await post()]);
  line.thaw();
  await assertSoonNormal(requests);
  assert.equal((await post()).status, 200);
  const { tags, activities } = await made.contact(body.email);
  assert.deepEqual([tags.length, activities.length], [1, 1]);
});

test('an import of which nothing but the answer to COMMIT is lost is 503, and is there once when it is repeated', async () => {
  const body = lead();
  const post = (firstName: string) =>
    send(server.url, made.key, '/api/v1/contacts', { ...body, firstName });
  await assertSoonNormal(requests);
  assert.equal((await post('Aroha')).status, 201);
  line.breakNextCommit('answer is lost', 'commit');
  assertSoonUnavailable([await post('Mere')]);
  await assertSoonNormal(requests);
  assert.equal((await post('Mere')).status, 200);
  const { activities } = await made.contact(body.email);
  assert.equal(activities.length, 1);
});

test('a connection that is ended in the moment in which it is made does not end the process', async (t) => {
  const pool = openPool(line.url, () => undefined, REQUEST_LIMITS);
  t.after(() => pool.end());
  line.endNextWhenReady();
  const select = () => transaction(pool, (tx) => run(tx, 'select 1'));
  await assert.rejects(select(), isUnavailableError);
  await select();
});

test('behind a pooler, what has lost its connection without a word is unavailable once its time is over', async (t) => {
  const pooler = await faultyLine(t, service.db);
  pooler.disguise();
  const limits = { ...REQUEST_LIMITS, statementTimeoutMs: 500 };
  const pool = openPool(pooler.url, () => undefined, limits);
  const asking = transaction(pool, async (tx) => {
    await run(tx, 'select 1');
    pooler.strand();
    await run(tx, 'select 1');
  });
  const waiting = new AbortController();
  const late = sleep(5_000, 'nothing', waiting);
  await assert.rejects(Promise.race([asking, late]), isUnavailableError);
  waiting.abort();
  await pool.end();
});

test('a statement that takes its time is no database that is away', async (t) => {
  const pool = openPool(line.url, () => undefined, REQUEST_LIMITS);
  t.after(() => pool.end());
  const startMs = performance.now();
  await transaction(pool, (tx) => run(tx, 'select pg_sleep(2.5)'));
  assert.ok(performance.now() - startMs >= 2_500);
});

describe('every transaction has an end:', () => {
  test('a request that waits for a lock is 503 after a few seconds', async () => {
    const body = lead();
    const answered = await transaction(service.db, async (tx) => {
      await lockEmails(tx, await accountIdOf(service.db, made), [body.email]);
      return send(server.url, made.key, '/api/v1/contacts', body);
    });
    assert.ok(isUnavailable(answered) && answered.ms < 5_000, JSON.stringify(answered));
  });

  for (const [whose, limits] of [
    ['requests', REQUEST_LIMITS],
    ['commands', COMMAND_LIMITS],
  ] as const)
    test(`PostgreSQL has the limits of ${whose}`, async (t) => {
      const config = readConfig({}, { DATABASE_URL: line.url });
      const options = whose === 'requests' ? { limits } : {};
      const database = await openDatabase(config, options);
      t.after(() => database.close());
      const { rows } = await transaction(database.pools.lookups, (tx) =>
        run(tx, `select name, setting::int from pg_settings where name like '%\\_timeout'`),
      );
      const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
      assert.equal(settings.get('statement_timeout'), limits.statementTimeoutMs);
      assert.equal(settings.get('lock_timeout'), limits.lockTimeoutMs);
      assert.equal(
        settings.get('idle_in_transaction_session_timeout'),
        limits.idleTransactionTimeoutMs ?? 0,
      );
    });

  test('who works for a while between two statements is not taken for one whose answer was lost', async (t) => {
    const pool = openPool(line.url, () => undefined, REQUEST_LIMITS);
    t.after(() => pool.end());
    await transaction(pool, async (tx) => {
      await run(tx, 'select 1');
      await sleep(2 * REQUEST_LIMITS.silenceMs);
      await run(tx, 'select 2');
    });
  });

  test('what PostgreSQL gives up is unavailable, and the next transaction goes on', async (t) => {
    const limits = { ...REQUEST_LIMITS, statementTimeoutMs: 200, idleTransactionTimeoutMs: 200 };
    const pool = openPool(line.url, () => undefined, limits);
    t.after(() => pool.end());
    const late = [
      (tx: Queryable) => run(tx, 'select pg_sleep(5)'),
      async (tx: Queryable) => void [await sleep(500), await run(tx, 'select 1')],
    ];
    for (const work of late) {
      await assert.rejects(transaction(pool, work), isUnavailableError);
      await transaction(pool, (tx) => run(tx, 'select 1'));
    }
  });
});
