import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { makeAccount, makeKey, makeStock } from '../../bench/data.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { unknownKey } from '../support/keys.ts';
import { serving } from '../support/process.ts';

/** Ten a second for an hour. */
const REQUESTS = 36_000;
/** Until the caches hold what they may. */
const WARM_UP = 54_000;
const PARTS = 12;
const CONNECTIONS = 16;
const GROWTH_MAX = 0.1;

const db = await createDatabase({ after });
const account = await makeAccount(db, 'memory');
await makeStock(db, account, { projects: 500, units: 10, images: 3 });
const key = await makeKey(db, account, 'read-write');
const server = await serving({
  DATABASE_URL: await databaseUrl(db),
  LOG_LEVEL: 'warn',
  OFFPLAN_RATE_LIMIT_READS: '1000000',
  OFFPLAN_RATE_LIMIT_IMPORTS: '1000000',
});
after(() => server.stop());
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

async function send(method: string, path: string, headers: object = {}, body?: object) {
  const sent = request(`${server.url}/api/v1${path}`, {
    agent,
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  }).end(body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  assert.ok((response.statusCode ?? 500) < 500, String(response.statusCode));
}

const lead = (n: number) => ({ email: `lead-${n}@example.com`, tags: ['A', 'B'], notes: `${n}` });

/** Requests of websites, portals and strangers, each with values that no request had before. */
const kinds: ((n: number) => Promise<void>)[] = [
  () => send('GET', '/stocklist', { 'accept-encoding': 'br' }),
  (n) => send('GET', `/stocklist?updated_since=${new Date(n).toISOString()}`),
  (n) => send('GET', `/stocklist?city=City%20${n}`, { 'accept-encoding': 'gzip' }),
  (n) => send('GET', `/projects/project-${n % 500}`),
  (n) => send('GET', `/projects/nothing-${n}`),
  (n) => send('GET', '/stocklist', { authorization: `Bearer ${invalidKey(n)}` }),
  (n) => send('POST', '/contacts', {}, lead(n)),
  (n) => send('POST', '/contacts', { 'idempotency-key': `key-${n}` }, lead(n - 1)),
  (n) => send('POST', '/contacts/batch', {}, { contacts: [lead(n), lead(n + 1), { email: n }] }),
  (n) => send('POST', '/contacts?dryRun=true', {}, lead(n)),
  (n) => send('POST', '/contacts', { 'content-type': 'text/plain' }, lead(n)),
  (n) => send('GET', `/nothing/${n}`),
];

const invalidKey = (n: number) => (n % 2 ? unknownKey() : `offplan_${n}`);

let count = 0;

async function sendMany(requests: number): Promise<void> {
  const last = count + requests;
  const client = async (): Promise<void> => {
    while (count < last) await kinds[(count += 1) % kinds.length]?.(count);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

function residentMb(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

test(`memory stays flat over ${REQUESTS} requests of every kind, an hour at ten a second`, async (t) => {
  await sendMany(WARM_UP);
  const resident: number[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    await sendMany(REQUESTS / PARTS);
    resident.push(residentMb());
  }
  t.diagnostic(`resident MB: ${resident.map(Math.round).join(' ')}`);
  const first = median(resident.slice(0, PARTS / 3));
  const last = median(resident.slice(-PARTS / 3));
  assert.ok(last <= first * (1 + GROWTH_MAX), `${first} MB became ${last}`);
});
