import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf } from '../support/developer.ts';
import { startFaultyProxy } from '../support/faults.ts';
import { build } from '../support/harness.ts';
import { dataFolder, serving, signalPostgres } from '../support/process.ts';
import {
  all,
  assertUnavailable,
  KEY_REMEMBERED_MS,
  oneOfEachKind,
  untilNormal,
  type Answered,
} from '../support/requests.ts';

/** A client gets a 503 within this time when the database is unavailable, and an answer when it works again. */
const SOON_MS = 2_000;
const EXIT_MS = 10_000;

/** Starts the service with an embedded PostgreSQL of its own, whose processes the test can stop. */
async function embedded(t: TestContext, workers = 1) {
  const folder = dataFolder(t);
  const environment = {
    OFFPLAN_DATA_DIR: folder,
    OFFPLAN_WORKERS: String(workers),
    LOG_LEVEL: 'silent',
  };
  const server = await serving(environment, '--demo');
  const writeKey = () => /Read-write key +(offplan_\w{49})\n/.exec(server.printed())?.[1];
  while (writeKey() === undefined) await sleep(20);
  const key = String(writeKey());
  const sends = oneOfEachKind(server.url, key);
  await untilNormal(sends);
  const signal = (name: NodeJS.Signals) => signalPostgres(folder, name);
  t.after(() => server.stop());
  return { server, key, sends, signal };
}

test('requests get a 503 within 2 seconds while PostgreSQL is stopped by SIGSTOP, and answers within 2 seconds of SIGCONT', async (t) => {
  const { sends, signal } = await embedded(t);
  for (const seconds of [0, 10, 30]) {
    signal('SIGSTOP');
    try {
      await sleep(KEY_REMEMBERED_MS);
      const endMs = performance.now() + seconds * 1000;
      do {
        const answers = await all(sends);
        assertUnavailable(answers);
        const mostMs = Math.max(...answers.map(({ tookMs }) => tookMs));
        t.diagnostic(`at most ${Math.round(mostMs)} ms`);
        assert.ok(mostMs < SOON_MS);
        await sleep(1_000);
      } while (performance.now() < endMs);
    } finally {
      signal('SIGCONT');
    }
    const startMs = performance.now();
    await untilNormal(sends);
    const normalMs = performance.now() - startMs;
    t.diagnostic(`answered after ${Math.round(normalMs)} ms`);
    assert.ok(normalMs < SOON_MS);
  }
});

test('requests under way get a 503 within 2 seconds when a proxy begins to accept connections and hang, and answers within 2 seconds of its end', async (t) => {
  const service = await build(t);
  const { key } = await developersOf(service)();
  const proxy = await startFaultyProxy(t, service.db);
  const server = await serving({ DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' });
  t.after(() => server.stop('SIGKILL'));
  const sends = oneOfEachKind(server.url, key);
  await untilNormal(sends);
  for (let round = 0; round < 5; round += 1) {
    const answers: Answered[] = [];
    const ended = new AbortController();
    const clients = Array.from({ length: 8 }, async () => {
      for (; !ended.signal.aborted; await sleep(50)) answers.push(...(await all(sends)));
    });
    await sleep(500);
    proxy.drop();
    proxy.freeze();
    await sleep(5_000);
    proxy.thaw();
    const startMs = performance.now();
    await untilNormal(sends);
    const normalMs = performance.now() - startMs;
    ended.abort();
    await Promise.all(clients);
    const mostMs = Math.max(...answers.map(({ tookMs }) => tookMs));
    t.diagnostic(`at most ${Math.round(mostMs)} ms, and answered after ${Math.round(normalMs)} ms`);
    assert.ok(answers.some(({ status }) => status === 503));
    assertUnavailable(answers.filter(({ status }) => status >= 500));
    assert.ok(Math.max(mostMs, normalMs) < SOON_MS);
  }
});

test('SIGTERM ends the service within 10 seconds while PostgreSQL is stopped by SIGSTOP', async (t) => {
  const { server, signal } = await embedded(t);
  signal('SIGSTOP');
  try {
    const startMs = performance.now();
    // The service kills itself at its time-out, since it cannot stop this PostgreSQL.
    assert.equal(await server.stop('SIGTERM'), null);
    const tookMs = performance.now() - startMs;
    t.diagnostic(`ended after ${Math.round(tookMs)} ms`);
    assert.ok(tookMs < EXIT_MS);
  } finally {
    signal('SIGCONT');
  }
});

for (const [what, workers] of [
  ['one process', 1],
  ['workers', 2],
] as const)
  test(`SIGTERM ends the service within 10 seconds while a client does not finish its request: ${what}`, async (t) => {
    const { server, key } = await embedded(t, workers);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(`${server.url}/api/v1/contacts`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.write('{');
    await sleep(300);
    const startMs = performance.now();
    assert.equal(await server.stop('SIGTERM'), 0);
    const tookMs = performance.now() - startMs;
    t.diagnostic(`ended after ${Math.round(tookMs)} ms`);
    assert.ok(tookMs < EXIT_MS);
  });
