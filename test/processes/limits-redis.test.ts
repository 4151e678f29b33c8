import assert from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import pino from 'pino';
import type { Server } from '../../src/platform/http/index.ts';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl, SETTINGS, type TestApp } from '../support/harness.ts';
import { buildApp } from '../support/internals.ts';
import { addPerson, PASSWORD } from '../support/people.ts';
import { offplan, serving } from '../support/process.ts';
import { startRedis, withoutRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const STOCKLIST = '/api/v1/stocklist';
const SIGN_IN = '/api/v1/sign-in';
const options = { skip: withoutRedis };

/** Sends requests at once, and returns how many get a 200. */
const countAnswered = async (count: number, send: () => Promise<number | undefined>) => {
  const all = await Promise.all(Array.from({ length: count }, send));
  return all.filter((status) => status === 200).length;
};

/** Builds a service that counts a limit in Redis. */
async function buildLimited(t: TestContext, redisUrl: string, readsPerMinute: number) {
  const service = await build(t, { readsPerMinute, redisUrl });
  const { key } = await developersOf(service)();
  const send = async () => (await service.send({ url: STOCKLIST, key })).status;
  return { service, key, send };
}

/** Blocks the event loop of this process. */
function keepBusy(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

const logged = ({ log }: TestApp) =>
  log.map((line) => JSON.parse(line)).filter(({ msg }) => /Redis/.test(String(msg)));

/** Sends requests until one is counted in Redis again, and asserts that the log says so once. */
async function assertNoticedBack(service: TestApp, send: () => Promise<number>): Promise<void> {
  for (let n = 0; n < 50 && logged(service).length < 2; n += 1) {
    await sleep(100);
    await send();
  }
  assert.deepEqual(
    logged(service).map(({ level }) => level),
    [40, 30],
  );
}

/** Waits until a service has tried twice to connect to a Redis that is down. */
async function untilRetried(url: string): Promise<void> {
  let tries = 0;
  const listener = createServer((socket) => {
    tries += 1;
    socket.destroy();
  });
  await once(listener.listen(Number(new URL(url).port), '127.0.0.1'), 'listening');
  await until(() => tries >= 2);
  await once(listener.close(), 'close');
}

test('processes that share a Redis count together', options, async (t) => {
  const redis = await startRedis(t);
  const { service, key } = await buildLimited(t, redis.url, 1);
  const workers = await serving({
    DATABASE_URL: await databaseUrl(service.db),
    REDIS_URL: redis.url,
    OFFPLAN_RATE_LIMIT_READS: '10',
    OFFPLAN_RATE_LIMIT_IMPORTS: '10',
    OFFPLAN_WORKERS: '2',
    LOG_LEVEL: 'warn',
  });
  t.after(() => workers.stop());
  const answerers = new Set<string>();
  const send = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    // The kernel gives each new connection to one of the workers.
    const sent = request(`${workers.url}${path}`, { agent: false, method, headers }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    answerers.add(String(response.headers['x-request-id']).split('-')[0] ?? '');
    return response.statusCode;
  };
  assert.equal(await countAnswered(40, () => send('GET', STOCKLIST)), 10);
  assert.equal(answerers.size, 2);
  const batch = JSON.stringify({
    contacts: Array.from({ length: 6 }, (_, n) => ({ email: `${n}@example.com` })),
  });
  // One after the other, since each batch takes one on arrival and the others later.
  let passed = 0;
  for (let n = 0; n < 8; n += 1)
    passed += Number((await send('POST', '/api/v1/contacts/batch', batch)) === 200);
  assert.equal(passed, 2);
});

test(
  'requests without a valid key are counted in Redis, too, and a valid key passes',
  options,
  async (t) => {
    const redis = await startRedis(t);
    const [one, other] = [
      await buildLimited(t, redis.url, 1_000),
      await buildLimited(t, redis.url, 1_000),
    ];
    const failing = async ({ service }: { service: TestApp }) =>
      (await service.send({ url: STOCKLIST, key: 'offplan_wrong' })).status;
    for (let n = 0; n < 30; n += 1)
      assert.deepEqual([await failing(one), await failing(other)], [401, 401]);
    assert.deepEqual([await failing(one), await failing(other)], [429, 429]);
    assert.deepEqual([await one.send(), await other.send()], [200, 200]);
  },
);

test(
  'wrong passwords are counted in Redis, under no name that has the email',
  options,
  async (t) => {
    const redis = await startRedis(t);
    const one = await build(t, { redisUrl: redis.url });
    const config = { ...SETTINGS, redisUrl: redis.url };
    const other = await buildApp({ config, db: one.db, logger: pino({ level: 'silent' }) });
    t.after(() => other.close());
    const person = await addPerson(one);
    const attempt = async (server: Server, password: string) => {
      const payload = { account: person.slug, email: person.email, password };
      const { statusCode, headers } = await server.inject({
        method: 'POST',
        url: SIGN_IN,
        payload,
      });
      return [statusCode, Number(headers['retry-after'] ?? 0) > 14 * 60];
    };
    for (let n = 0; n < 5; n += 1) {
      for (const each of [one.app, other]) {
        assert.deepEqual(await attempt(each, 'wrong'), [401, false]);
        // The right one counts nothing.
        if (n < 4) assert.deepEqual(await attempt(each, PASSWORD), [200, false]);
      }
    }
    for (const each of [one.app, other])
      for (const password of ['wrong', PASSWORD])
        assert.deepEqual(await attempt(each, password), [429, true]);
    const client = createClient({ url: redis.url });
    await client.connect();
    const names = await client.keys('*');
    client.destroy();
    assert.ok(names.length >= 2);
    for (const name of names)
      for (const part of person.email.split('@')) assert.ok(!name.includes(part), name);
  },
);

test(
  'while Redis is down each process counts by itself, and the log says so once',
  options,
  async (t) => {
    const redis = await startRedis(t);
    const { service, send } = await buildLimited(t, redis.url, 5);
    assert.equal(await countAnswered(3, send), 3);
    await redis.end();
    assert.equal(await countAnswered(20, send), 5);
    await untilRetried(redis.url);
    assert.deepEqual(
      logged(service).map(({ level }) => level),
      [40],
    );
    await redis.restart();
    await assertNoticedBack(service, send);
  },
);

test(
  'while Redis hangs requests are answered, and the log says when it is lost and when it is back',
  options,
  async (t) => {
    const redis = await startRedis(t);
    const { service, send } = await buildLimited(t, redis.url, 1_000);
    assert.equal(await send(), 200);
    redis.kill('SIGSTOP');
    for (let n = 0; n < 20; n += 1) assert.equal(await send(), 200);
    assert.deepEqual(
      logged(service).map(({ level }) => level),
      [40],
    );
    redis.kill('SIGCONT');
    await assertNoticedBack(service, send);
  },
);

test(
  'a process that was too busy to read the answer of Redis in time still counts in Redis',
  options,
  async (t) => {
    const redis = await startRedis(t);
    const { service, send } = await buildLimited(t, redis.url, 1_000);
    assert.equal(await send(), 200);
    redis.kill('SIGSTOP');
    const sent = send();
    await sleep(100);
    redis.kill('SIGCONT');
    // From here Node runs timers before it reads sockets.
    await new Promise(setImmediate);
    keepBusy(300);
    assert.equal(await sent, 200);
    assert.deepEqual(logged(service), []);
  },
);

test('serve exits when its port is in use, also with a connection to Redis', options, async (t) => {
  const redis = await startRedis(t);
  const { service } = await buildLimited(t, redis.url, 1);
  const taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const environment = { DATABASE_URL: await databaseUrl(service.db), REDIS_URL: redis.url };
  const { code, stderr } = await offplan(['serve', '--port', String(port)], environment);
  assert.equal(code, 1);
  assert.match(stderr, /port \d+ on 127\.0\.0\.1 is in use/);
});

test('a Redis that never answers stops no request, and the log has no password', async (t) => {
  const { service, send } = await buildLimited(t, 'redis://:hunter2@127.0.0.1:1', 2);
  assert.equal(await countAnswered(4, send), 2);
  assert.equal(logged(service).length, 1);
  assert.ok(!service.log.some((line) => line.includes('hunter2')));
});
