import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setPriority } from 'node:os';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { makeAccount, makeKey, makeStock } from '../../bench/data.ts';
import { collectEarly } from '../../src/cli/heap.ts';
import { createDatabase, databaseUrl } from '../harness.ts';
import { serving } from '../process.ts';
import type { Flood } from './flood.ts';

const CONNECTIONS = 64;
/** How long it is calm and flooded in turn: what else the machine does meets both. */
const ROUND_MS = 3_000;
const EVERY_MS = 10;

const db = await createDatabase({ after });
const busy = await makeAccount(db, 'busy');
await makeStock(db, busy, { projects: 2_000, units: 10, images: 3 });
const quiet = await makeAccount(db, 'quiet');
await makeStock(db, quiet, { projects: 100, units: 10, images: 3 });
const busyKey = await makeKey(db, busy, 'read-write');
const quietKey = await makeKey(db, quiet, 'read-write');
const server = await serving({ DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'warn' });
after(() => server.stop());
// Who asks is to wait for the service, not for a processor that the flood's client has, or V8 collecting what either left.
collectEarly();
// Only root may.
try {
  setPriority(-10);
} catch {}

const agent = new Agent({ keepAlive: true });
let count = 0;

/** What a website sends, in turn: a page and a project that are kept, a page that is not, a lead. */
const requests: (() => ['GET' | 'POST', string, object?])[] = [
  () => ['GET', '/stocklist'],
  () => ['GET', `/projects/project-${count % 20}`],
  () => ['GET', `/stocklist?updated_since=${new Date(count).toISOString()}`],
  () => ['POST', '/contacts', { email: `lead-${count}@example.com` }],
];

/** Sends the next of them; how long it takes. */
async function ask(isReadingOnly: boolean): Promise<number> {
  count += 1;
  const kinds = isReadingOnly ? requests.length - 1 : requests.length;
  const [method, path, body] = requests[count % kinds]?.() ?? ['GET', ''];
  const headers = { authorization: `Bearer ${quietKey}`, 'content-type': 'application/json' };
  const startedMs = performance.now();
  const sent = request(`${server.url}/api/v1${path}`, { agent, method, headers });
  sent.end(body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  assert.ok((response.statusCode ?? 500) < 300);
  return performance.now() - startedMs;
}

/** Sends one each ten milliseconds, whether the last is answered or not. */
async function askFor(ms: number, isReadingOnly: boolean): Promise<number[]> {
  const startMs = performance.now();
  const asked: Promise<number>[] = [];
  for (let atMs = 0; atMs < ms; atMs += EVERY_MS) {
    await sleep(Math.max(startMs + atMs - performance.now(), 0));
    asked.push(ask(isReadingOnly));
  }
  return Promise.all(asked);
}

/** An account that floods when it is told to; gives what it got. */
function flooding(kind: Flood['kind']) {
  const state = new Int32Array(new SharedArrayBuffer(12));
  const workerData: Flood = {
    url: server.url,
    key: busyKey,
    kind,
    connections: CONNECTIONS,
    state,
  };
  const worker = new Worker(new URL('flood.ts', import.meta.url), { workerData });
  return {
    go: () => void Atomics.store(state, 0, 1),
    /** What is under way is still answered, before it is calm. */
    pause: async () => {
      Atomics.store(state, 0, 0);
      while (Atomics.load(state, 2) > 0) await sleep(50);
    },
    answered: () => Atomics.load(state, 1),
    end: () => worker.terminate(),
  };
}

const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

const ANOTHER = 'another';
const READER = 'another that only reads';

for (const [kind, who, rounds] of [
  ['pages', ANOTHER, 19],
  ['leads', ANOTHER, 19],
  ['leads', READER, 19],
  ['long leads', ANOTHER, 9],
  // Each of them leaves 64,000 leads to be answered before it is calm again.
  ['batches', ANOTHER, 9],
] as const)
  test(`while one account floods ${kind}, the p99 of ${who} stays within twice its own alone`, async (t) => {
    const isReadingOnly = who === READER;
    const flood = flooding(kind);
    t.after(() => flood.end());
    async function round() {
      const alone = await askFor(ROUND_MS, isReadingOnly);
      flood.go();
      await sleep(100);
      const beside = await askFor(ROUND_MS, isReadingOnly);
      await flood.pause();
      return { alone, beside, times: quantile(beside, 0.99) / quantile(alone, 0.99) };
    }
    // V8 makes its code for what it has seen.
    await round();
    const all: Awaited<ReturnType<typeof round>>[] = [];
    for (let n = 0; n < rounds; n += 1) all.push(await round());
    for (const when of ['alone', 'beside'] as const) {
      const took = all.flatMap((each) => each[when]);
      const [p50, p99] = [quantile(took, 0.5).toFixed(1), quantile(took, 0.99).toFixed(1)];
      t.diagnostic(`${when}: p50 ${p50} ms, p99 ${p99} ms`);
    }
    const times = all.map((each) => each.times);
    t.diagnostic(`p99 beside / alone, by rounds: ${times.map((n) => n.toFixed(1)).join(' ')}`);
    t.diagnostic(`${flood.answered()} of the flood were answered`);
    assert.ok(flood.answered() > 0);
    // The median, since a machine that pauses for a moment spoils one round.
    assert.ok(quantile(times, 0.5) <= 2);
  });
