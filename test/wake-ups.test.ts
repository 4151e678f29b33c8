import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import pg from 'pg';
import pino from 'pino';
import { makeAccount } from '../bench/data.ts';
import { commitEvents } from '../bench/webhooks.ts';
import { SCOPES } from '../src/access/index.ts';
import { createWakeUps } from '../src/events/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { openPools, REQUEST_TIMEOUTS } from '../src/platform/database/index.ts';
import { createDatabase, databaseUrl, SECRET_KEY, SETTINGS } from './support/harness.ts';
import { buildApp } from './support/internals.ts';
import { startReceiver } from './support/receiver.ts';
import { run } from './support/sql.ts';
import {
  followStatements,
  WEBHOOKS_LOOK,
  WEBHOOKS_LOOK_OF_ACCOUNTS,
} from './support/statements.ts';
import { until } from './support/until.ts';

/* How events wake those who wait for them, in their process and in others. */

// Never run the timer by which the worker of webhooks polls, so that it looks only when something wakes it.
const LOOK_MS = 200;
const { setTimeout: start } = globalThis;
mock.method(globalThis, 'setTimeout', (run: () => void, ms: number, ...sent: unknown[]) =>
  Reflect.apply(start, globalThis, [run, ms === LOOK_MS ? 2 ** 30 : ms, ...sent]),
);

const CHANNEL = 'offplan_events';
const db = await createDatabase({ after });
const url = await databaseUrl(db);
const { id: accountId } = await makeAccount(db, 'wake-ups');
const key = await issueKey(db, accountId, { name: 'wake-ups', scopes: SCOPES });
const pools = openPools(url, () => undefined, REQUEST_TIMEOUTS);
after(pools.end);
const app = await buildApp({
  config: { ...SETTINGS, webhookAllowPrivate: true },
  secretKey: SECRET_KEY,
  db: pools.lookups,
  listen: pools.listen,
  logger: pino({ level: 'silent' }),
});
await app.ready();
after(() => app.close());

async function post(path: string, payload: object): Promise<void> {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    payload,
  });
  assert.ok(statusCode < 300, `${path}: ${statusCode}`);
}

/** Listens to the notifications of all processes. Returns their payloads, also those that come later. */
async function listen(): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  const payloads: string[] = [];
  client.on('notification', ({ payload = '' }) => void payloads.push(payload));
  // The database may be dropped before this connection ends.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`listen ${CHANNEL}`);
  after(() => client.end());
  return payloads;
}

/** Finds the connection on which the service listens. */
async function findListening(): Promise<number | undefined> {
  const { rows } = await run(
    db,
    `select pid from pg_stat_activity where query = $1 and state = 'idle' and application_name = 'offplan'`,
    [`listen ${CHANNEL}`],
  );
  return rows[0]?.['pid'];
}

test('a request that writes sends a webhook its event at once, and notifies other processes', async () => {
  const receiver = await startReceiver({ after });
  await post('/webhooks', { url: receiver.url, types: ['contact.created'] });
  const payloads = await listen();
  await post('/contacts', { email: 'hana@example.com' });
  await until(() => receiver.received.length === 1);
  await until(() => payloads.length > 0);
  assert.ok(payloads.every((payload) => payload.split(' ')[1] === accountId));
});

test('after a lead the service looks for the webhooks of its account, and not for those of all accounts', async () => {
  const receiver = await startReceiver({ after });
  await post('/webhooks', { url: receiver.url, types: ['contact.created'] });
  await post('/contacts', { email: 'mere@example.com' });
  await until(() => receiver.received.length === 1);
  const looks = new Set<string>();
  const stop = followStatements((name) => {
    if (name === WEBHOOKS_LOOK || name === WEBHOOKS_LOOK_OF_ACCOUNTS) looks.add(name);
  });
  await post('/contacts', { email: 'kiri@example.com' });
  await until(() => receiver.received.length === 2);
  stop();
  assert.deepEqual([...looks], [WEBHOOKS_LOOK_OF_ACCOUNTS]);
});

test('a notification of another process sends a webhook its event at once, also after the connection was lost', async () => {
  const receiver = await startReceiver({ after });
  await post('/webhooks', { url: receiver.url, types: ['contact.created'] });
  await until(async () => (await findListening()) !== undefined);
  const other = createWakeUps(db);
  after(other.close);
  await commitEvents(db, { id: accountId, slug: '' }, 1);
  other.publish(accountId);
  await until(() => receiver.received.length === 1);

  const lost = await findListening();
  await run(db, 'select pg_terminate_backend($1::int)', [lost]);
  await until(async () => ![lost, undefined].includes(await findListening()));
  await commitEvents(db, { id: accountId, slug: '' }, 1);
  other.publish(accountId);
  await until(() => receiver.received.length === 2);
});

test('a thousand writers at once cause two notifications, and those who wait for an account hear only of it', async () => {
  const payloads = await listen();
  const wakeUps = createWakeUps(db);
  after(wakeUps.close);
  const never = new AbortController();
  const heard: string[] = [];
  const wait = async (id: string): Promise<void> => {
    await wakeUps.wait(id, 2 ** 30, never.signal);
    heard.push(id);
  };
  const waits = ['one', 'two', 'three'].map(wait);
  for (let writer = 0; writer < 1_000; writer += 1)
    wakeUps.publish(writer % 2 === 0 ? 'one' : 'two');
  const listAccounts = () => payloads.map((payload) => payload.split(' ').slice(1).join(' '));
  await until(() => listAccounts().includes('two one'));
  assert.deepEqual(
    listAccounts().filter((accounts) => accounts.includes('one')),
    ['one', 'two one'],
  );
  assert.deepEqual(heard, ['one', 'two']);
  never.abort();
  await Promise.all(waits);
});
