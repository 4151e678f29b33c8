import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { uuidv7 } from 'uuidv7';
import { runInTransaction } from '../src/platform/database/index.ts';
import { LOOK_UP_CACHED_MS, passTime } from './support/clock.ts';
import { developersOf } from './support/developer.ts';
import { build, type Answer, type TestApp } from './support/harness.ts';
import { someoneWaits } from './support/locks.ts';
import { unknownKey } from './support/keys.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';
import { KEY_LOOK_UP, SCHEMA_READ } from './support/statements.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { until } from './support/until.ts';

const STOCKLIST = '/api/v1/stocklist';
const CONTACTS = '/api/v1/contacts';
const BATCH = '/api/v1/contacts/batch';

const EMAIL = 'aroha@example.com';

const leads = (count: number) =>
  Array.from({ length: count }, () => ({ email: `${uuidv7()}@example.com` }));

/** The values of the header fields: the quota, how much of it is left, and for how many seconds. */
function fieldsOf({ headers }: Answer): {
  name: string;
  quota: number;
  left: number;
  seconds: number;
} {
  const policy = /^"(\w+)";q=(\d+);w=60$/.exec(String(headers['ratelimit-policy']));
  const state = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit']));
  assert.ok(policy && state, JSON.stringify(headers));
  assert.equal(policy[1], state[1]);
  return {
    name: String(policy[1]),
    quota: Number(policy[2]),
    left: Number(state[2]),
    seconds: Number(state[3]),
  };
}

function assertRefused(answer: Answer, instance: string, mostSeconds = 60): void {
  assertProblem(answer, 'rate_limited', instance);
  const seconds = Number(answer.headers['retry-after']);
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= mostSeconds, String(seconds));
}

describe('a limit of an API key', () => {
  test('each read says how much of the limit is left, and the next read gets a 429 with Retry-After', async (t) => {
    const service = await build(t, { readsPerMinute: 3 });
    const { key } = await developersOf(service)();
    const urls = [STOCKLIST, '/api/v1/projects/nothing', `${STOCKLIST}?limit=0`];
    for (const [index, url] of urls.entries()) {
      const { seconds, ...fields } = fieldsOf(await service.send({ url, key }));
      assert.deepEqual(fields, { name: 'reads', quota: 3, left: 2 - index });
      assert.ok(seconds >= 1 && seconds <= 60);
    }
    const answer = await service.send({ url: STOCKLIST, key });
    assertRefused(answer, STOCKLIST);
    assert.equal(fieldsOf(answer).left, 0);
    const { seconds } = fieldsOf(answer);
    assert.equal(Number(answer.headers['retry-after']), seconds);
    const again = `try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
    assert.equal(answer.body.detail, `This API key may make 3 reads a minute; ${again}.`);
  });

  test('holds for each person who is signed in, too, and speaks to them', async (t) => {
    const service = await build(t, { readsPerMinute: 1 });
    const person = await addPerson(service, {});
    const send = browser(service, await openSession(service, person));
    assert.equal((await send({ url: STOCKLIST })).status, 200);
    const answer = await send({ url: STOCKLIST });
    assertRefused(answer, STOCKLIST);
    assert.match(
      answer.body.detail,
      /^You may make 1 reads a minute; try again in \d+ seconds?\.$/,
    );
  });

  test('reads and imports are counted separately, and a refused import writes nothing', async (t) => {
    const service = await build(t, { readsPerMinute: 1, importsPerMinute: 2 });
    const { key, post, exported } = await developersOf(service)();
    for (const left of [1, 0])
      assert.equal(fieldsOf(await post({ email: `${left}@example.com` })).left, left);
    const before = await exported();
    const answer = await post({ email: 'third@example.com', tag: 'Never' });
    assertRefused(answer, CONTACTS);
    assert.equal(fieldsOf(answer).name, 'imports');
    assert.deepEqual(await exported(), before);
    assert.equal((await service.send({ url: STOCKLIST, key })).status, 200);
    assert.equal((await service.send({ url: STOCKLIST, key })).status, 429);
  });

  test('other keys of the account, and routes without a key, are not limited by it', async (t) => {
    const service = await build(t, { readsPerMinute: 1 });
    const { key, slug } = await developersOf(service)();
    const other = await service.key(slug, 'read');
    for (const each of [key, other])
      assert.equal((await service.send({ url: STOCKLIST, key: each })).status, 200);
    for (const each of [key, other])
      assert.equal((await service.send({ url: STOCKLIST, key: each })).status, 429);
    assert.equal((await service.send({ url: '/livez' })).status, 200);
  });

  test('a request that gets a 403 does not count', async (t) => {
    const service = await build(t, { importsPerMinute: 1 });
    const { slug, post } = await developersOf(service)();
    const reader = await service.key(slug, 'read');
    const payload = { email: EMAIL };
    for (let n = 0; n < 3; n += 1)
      assertProblem(
        await service.send({ method: 'POST', url: CONTACTS, key: reader, payload }),
        'insufficient_access',
        CONTACTS,
      );
    assert.equal((await post({ email: 'first@example.com' })).status, 201);
  });

  test('without a setting no read is limited, and no answer has RateLimit fields', async (t) => {
    const service = await build(t);
    const { key } = await developersOf(service)();
    for (let n = 0; n < 20; n += 1) {
      const { status, headers } = await service.send({ url: STOCKLIST, key });
      assert.equal(status, 200);
      assert.deepEqual([headers['ratelimit'], headers['ratelimit-policy']], [undefined, undefined]);
    }
  });
});

describe('a batch', () => {
  async function limited(t: TestContext, importsPerMinute: number) {
    const service = await build(t, { importsPerMinute });
    const developer = await developersOf(service)();
    const batch = (count: number, query = '') =>
      service.send({
        method: 'POST',
        url: BATCH + query,
        key: developer.key,
        payload: { contacts: leads(count) },
      });
    return { ...developer, batch, service };
  }

  test('counts as the number of its imports, also as a dry run', async (t) => {
    const { batch, post } = await limited(t, 20);
    assert.equal(fieldsOf(await batch(5)).left, 15);
    assert.equal(fieldsOf(await batch(9, '?dryRun=true')).left, 6);
    assert.equal(fieldsOf(await post({ email: 'one@example.com' })).left, 5);
  });

  test('larger than the rest of the limit is accepted once, and paid off minute by minute', async (t) => {
    const { batch, post, exported } = await limited(t, 10);
    assert.equal((await post({ email: 'one@example.com' })).status, 201);
    const answer = await batch(95);
    assert.equal(answer.status, 200);
    const { left, seconds } = fieldsOf(answer);
    assert.equal(left, 0);
    assert.ok(seconds > 9 * 60 && seconds <= 10 * 60, String(seconds));
    const before = await exported();
    assertRefused(await batch(2), BATCH, 600);
    assertRefused(await post({ email: 'two@example.com' }), CONTACTS, 600);
    assert.deepEqual(await exported(), before);
  });

  test('larger than the rest of the limit is accepted once of many at the same time', async (t) => {
    const { batch } = await limited(t, 50);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await batch(60)).status),
    );
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
    assert.equal(statuses.filter((status) => status === 429).length, 7);
  });

  test('with a malformed body counts as one', async (t) => {
    const { key, service } = await limited(t, 20);
    const send = (payload: object) => service.send({ method: 'POST', url: BATCH, key, payload });
    assert.equal(fieldsOf(await send({ contacts: leads(1_001) })).left, 19);
    assert.equal(fieldsOf(await send({ contacts: 7 })).left, 18);
    assert.equal(fieldsOf(await send([])).left, 17);
  });
});

const FAILURES = 60;

/** How often the service has run a statement, by default that which looks a key up. */
function counting({ db }: TestApp, name = KEY_LOOK_UP): { count: number; most: number } {
  const query = db.query.bind(db);
  const seen = { count: 0, most: 0 };
  let running = 0;
  db.query = async (...args: Parameters<typeof query>) => {
    if (args[0].name !== name) return query(...args);
    seen.count += 1;
    running += 1;
    seen.most = Math.max(seen.most, running);
    return query(...args).finally(() => (running -= 1)) as never;
  };
  return seen;
}

describe('requests without a valid key', () => {
  const from =
    (service: TestApp, remoteAddress: string, headers = {}) =>
    (key?: string) =>
      service.send({
        url: STOCKLIST,
        remoteAddress,
        headers,
        ...(key !== undefined && { key }),
      });

  async function spend(send: (key?: string) => Promise<Answer>): Promise<void> {
    for (let n = 0; n < FAILURES; n += 1)
      assert.equal((await send(n % 2 ? 'offplan_wrong' : undefined)).status, 401);
  }

  test('get a 429 with Retry-After beyond 60 a minute from one address', async (t) => {
    const service = await build(t);
    const send = from(service, '203.0.113.7');
    await spend(send);
    for (const key of [undefined, 'offplan_wrong', unknownKey()])
      assertRefused(await send(key), STOCKLIST);
    assert.equal((await from(service, '203.0.113.8')()).status, 401);
  });

  test('do not limit requests with a valid key from the same address', async (t) => {
    const service = await build(t);
    const { slug, key } = await developersOf(service)();
    const send = from(service, '203.0.113.7');
    assert.equal((await send(key)).status, 200);
    await spend(send);
    assert.equal((await send()).status, 429);
    for (let n = 0; n < 80; n += 1) assert.equal((await send(key)).status, 200);
    assert.equal((await send(await service.key(slug, 'read'))).status, 200);
  });

  test('cost no query when the key is not well-formed, and one query at a time when it is', async (t) => {
    const service = await build(t);
    const { key } = await developersOf(service)();
    const send = from(service, '203.0.113.7');
    await spend(send);
    const seen = counting(service);
    for (let n = 0; n < 20; n += 1) assert.equal((await send('offplan_wrong')).status, 429);
    assert.equal(seen.count, 0);
    const guesses = await Promise.all(Array.from({ length: 50 }, () => send(unknownKey())));
    assert.ok(guesses.every(({ status }) => status === 429));
    assert.deepEqual(seen, { count: 50, most: 1 });
    assert.equal((await send(key)).status, 200);
  });

  test('run one query at a time, and of 200 at once all but 60 get a 429', async (t) => {
    const service = await build(t);
    const { key } = await developersOf(service)();
    const send = from(service, '203.0.113.7');
    const seen = counting(service);
    const guesses = Array.from({ length: 200 }, () => send(unknownKey()));
    // A valid key that the service has not seen yet waits behind them, and is accepted.
    assert.equal((await send(key)).status, 200);
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, FAILURES);
    assert.equal(statuses.filter((status) => status === 429).length, 200 - FAILURES);
    assert.equal(seen.most, 1);
  });

  test('from many addresses run two queries at a time, and a key that was valid before does not wait for them', async (t) => {
    const service = await build(t);
    const { key } = await developersOf(service)();
    assert.equal((await from(service, '203.0.113.7')(key)).status, 200);
    passTime(LOOK_UP_CACHED_MS);
    const seen = counting(service);
    const holder = await service.db.connect();
    let sent: Promise<Answer>[] = [];
    try {
      await run(holder, 'begin');
      await run(holder, 'lock table api_keys in access exclusive mode');
      sent = Array.from({ length: 20 }, (_, n) => from(service, `192.0.2.${n}`)(unknownKey()));
      await until(() => seen.count >= 2);
      sent.push(from(service, '203.0.113.7')(key));
      await until(() => seen.count >= 3);
    } finally {
      await run(holder, 'rollback');
      holder.release();
    }
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 401), 200]);
    assert.deepEqual(seen, { count: 21, most: 3 });
  });

  test('from one IPv6 /64 network are counted together', async (t) => {
    const service = await build(t);
    let host = 0;
    await spend((key) => from(service, `2001:db8:0:1::${(host += 1).toString(16)}`)(key));
    assert.equal((await from(service, '2001:db8:0:1:ffff::1')()).status, 429);
    assert.equal((await from(service, '2001:db8:0:2::1')()).status, 401);
  });

  test('are counted by X-Forwarded-For behind a trusted proxy, and only there', async (t) => {
    const forwarded = (address: string) => ({ 'x-forwarded-for': address });
    const service = await build(t, { trustedProxies: ['10.0.0.0/8'] });
    // The service does not believe addresses that the client itself put in front.
    await spend(from(service, '10.0.0.1', forwarded('198.51.100.9, 203.0.113.7')));
    assert.equal((await from(service, '10.0.0.2', forwarded('203.0.113.7'))()).status, 429);
    assert.equal((await from(service, '10.0.0.1', forwarded('198.51.100.9'))()).status, 401);
    assert.equal((await from(service, '203.0.113.7')()).status, 429);
    assert.equal((await from(service, '192.0.2.1', forwarded('203.0.113.7'))()).status, 401);
  });
});

test('concurrent requests for /readyz share one statement', async (t) => {
  const service = await build(t);
  const seen = counting(service, SCHEMA_READ);
  const asked = Array.from({ length: 64 }, () => service.send({ url: '/readyz' }));
  assert.deepEqual(new Set((await Promise.all(asked)).map(({ status }) => status)), new Set([200]));
  assert.equal(seen.most, 1);
  assert.ok(seen.count < 64, String(seen.count));
});

test('many edits of one account at once are all made, and leave connections to another account', async (t) => {
  const service = await build(t);
  const makeAccount = testAccountsOf(service);
  const [busy, other] = [await makeAccount(), await makeAccount()];
  const [editor, reader] = [
    await busy.program('contacts:write'),
    await other.program('contacts:read'),
  ];
  const ids: string[] = [];
  for (const { email } of leads(30)) ids.push(await busy.lead({ email }));
  const path = `/contacts/${await other.lead({ email: EMAIL })}`;
  const edits = await runInTransaction(service.db, async (tx) => {
    await run(tx, 'select from accounts where account_id = $1 for no key update', [busy.accountId]);
    const sent = ids.map((id) => editor.patch(`/contacts/${id}`, { stage: 'Lost' }));
    await someoneWaits(service.db);
    const { status, text } = await reader.get(path);
    assert.equal(status, 200, text);
    return { sent };
  });
  const answers = await Promise.all(edits.sent);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
});

test('edits of two accounts that wait for a lock do not hold up an edit of a third one', async (t) => {
  const service = await build(t);
  const makeAccount = testAccountsOf(service);
  const accounts = [await makeAccount(), await makeAccount(), await makeAccount()];
  const edits = await Promise.all(
    accounts.map(async (account) => {
      const editor = await account.program('contacts:write');
      const path = `/contacts/${await account.lead({ email: EMAIL })}`;
      return () => editor.patch(path, { name: uuidv7() });
    }),
  );
  const quiet = edits.pop();
  accounts.pop();
  const sent = await runInTransaction(service.db, async (tx) => {
    for (const { accountId } of accounts)
      await run(tx, 'select from accounts where account_id = $1 for no key update', [accountId]);
    const waiting = edits.flatMap((edit) => [edit(), edit(), edit()]);
    await someoneWaits(service.db, 2);
    assert.equal((await quiet?.())?.status, 200);
    return waiting;
  });
  for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
});
