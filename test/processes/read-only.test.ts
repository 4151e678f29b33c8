import assert from 'node:assert/strict';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { openPool, REQUEST_TIMEOUTS } from '../../src/platform/database/index.ts';
import { startEmbedded } from '../../src/platform/postgres/index.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { dataFolder, inReverse, offplan, serving, type Serving } from '../support/process.ts';
import { assertUnavailable, lead, send, type Answered } from '../support/requests.ts';
import { developerFile } from '../support/developer.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const STANDBY = 'The database is a standby, which takes no writes.';

async function readHealth({ url }: Serving) {
  const response = await fetch(`${url}/readyz`);
  const { detail = null } = (await response.json()) as { detail?: string };
  return { status: response.status, detail };
}

async function serve(t: TestContext, databaseUrlToUse: string): Promise<Serving> {
  const server = await serving({ DATABASE_URL: databaseUrlToUse, LOG_LEVEL: 'silent' });
  t.after(() => server.stop('SIGKILL'));
  return server;
}

/** Loads an account, and makes a key for it. */
async function prepareAccount(environment: Record<string, string>): Promise<string> {
  const file = JSON.stringify(developerFile('harbour'));
  assert.equal((await offplan(['load', '-'], environment, file)).code, 0);
  const make = ['keys', 'create', 'harbour', '--access', 'read-write', '--name', 'test'];
  return /offplan_\w{49}/.exec((await offplan(make, environment)).stdout)?.[0] ?? '';
}

/** Starts a hot standby, as PostgreSQL starts a copy of a primary's files with this signal. */
async function startStandby(t: ReturnType<typeof inReverse>) {
  const dataDir = dataFolder(t);
  const key = await prepareAccount({ OFFPLAN_DATA_DIR: dataDir });
  const signal = join(dataDir, 'postgres', 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  chownSync(signal, uid, gid);
  const { connection, release } = await startEmbedded({ dataDir, isDefaultDataDir: false });
  t.after(release);
  const url = `postgresql:///${connection.database}?host=${connection.host}&user=${connection.user}`;
  return { key, url, connection };
}

/** Starts an address that leads to one socket, and later to another one. */
async function startAddress(t: TestContext, first: string) {
  let target = first;
  const listener = createServer((client) => {
    const server = connect(join(target, '.s.PGSQL.5432'));
    for (const side of [client, server])
      side.on('error', () => undefined).on('close', () => [client.destroy(), server.destroy()]);
    client.pipe(server).pipe(client);
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  t.after(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  return { port, leadTo: (socketFolder: string) => void (target = socketFolder) };
}

test('/readyz says that the database is a standby; leads get a 503 until it is promoted, and no node is restarted', async (t) => {
  const { key, url, connection } = await startStandby(inReverse(t));
  const server = await serve(t, url);
  const post = () => send(server.url, key, '/api/v1/contacts', lead());
  assert.deepEqual(await readHealth(server), { status: 503, detail: STANDBY });
  assertUnavailable([await post()]);
  assert.equal((await send(server.url, key, '/api/v1/stocklist')).status, 200);
  // No request gets the connection of a statement that failed: the address may lead to the primary by then.
  const pool = openPool(url, () => undefined, REQUEST_TIMEOUTS);
  t.after(() => pool.end());
  await assert.rejects(run(pool, 'delete from accounts'), { code: '25006' });
  assert.equal(pool.totalCount, 0);

  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query('select pg_promote()');
  await admin.end();
  await until(async () => (await readHealth(server)).status === 200);
  assert.equal((await post()).status, 201);
});

test('a node that connected to a standby uses the primary as soon as its address leads there', async (t) => {
  const cleaner = inReverse(t);
  const { key, connection } = await startStandby(cleaner);
  const primary = await startEmbedded({ dataDir: dataFolder(cleaner), isDefaultDataDir: false });
  cleaner.after(primary.release);
  const address = await startAddress(t, connection.host);
  const server = await serve(t, `postgresql://offplan@127.0.0.1:${address.port}/offplan`);
  const read = () => send(server.url, key, `/api/v1/projects/none-${crypto.randomUUID()}`);
  assert.equal((await read()).code, 'project_not_found');
  assert.equal((await readHealth(server)).detail, STANDBY);

  address.leadTo(primary.connection.host);
  // The primary of this test is empty: it does not know the key.
  const isOnPrimary = ({ code }: Answered) => code === 'invalid_api_key';
  await until(async () => isOnPrimary(await read()));
  assert.deepEqual(await readHealth(server), { status: 200, detail: null });
  for (let n = 0; n < 10; n += 1) assert.ok(isOnPrimary(await read()));
});

test('/readyz says that default_transaction_read_only is on, and turns by itself', async (t) => {
  const db = await createDatabase(t);
  const url = await databaseUrl(db);
  const { rows } = await run(db, 'select current_database() as name');
  const setReadOnly = async (value: string) => {
    await run(
      db,
      `alter database ${rows[0]?.['name']} set default_transaction_read_only = ${value}`,
    );
  };
  const server = await serve(t, url);
  assert.deepEqual(await readHealth(server), { status: 200, detail: null });
  await setReadOnly('on');
  // The connections of the service keep the setting of their start, so it must open new ones here, and by itself later.
  await run(
    db,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const detail = 'The database takes no writes: default_transaction_read_only is on.';
  await until(async () => (await readHealth(server)).detail === detail);
  await run(db, 'set default_transaction_read_only = off');
  await setReadOnly('off');
  assert.deepEqual(await readHealth(server), { status: 200, detail: null });
});
