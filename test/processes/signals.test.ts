import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { someoneWaits, whileLocked } from '../support/locks.ts';
import { BIN, dataFolder, postgresPids, serving } from '../support/process.ts';
import { send } from '../support/requests.ts';
import { until } from '../support/until.ts';

const service = await build({ after });
const developer = await developersOf(service)();
const environment = { DATABASE_URL: await databaseUrl(service.db), LOG_LEVEL: 'warn' };

test('SIGUSR1 opens no debugger, and the service goes on', async (t) => {
  const server = await serving({ ...environment, OFFPLAN_WORKERS: '2' });
  t.after(() => server.child.kill('SIGKILL'));
  let complaints = '';
  server.child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  server.child.kill('SIGUSR1');
  // The debugger would announce itself on stderr, and then listen on this port.
  await assert.rejects(fetch('http://127.0.0.1:9229/json'));
  assert.equal((await send(server.url, developer.key, '/readyz')).status, 200);
  assert.equal(await server.stop(), 0);
  assert.equal(complaints, '');
});

test('SIGQUIT stops the service in order, as SIGTERM does: /readyz turns first, and requests are answered', async (t) => {
  for (const workers of ['1', '2']) {
    const server = await serving({ ...environment, OFFPLAN_WORKERS: workers });
    t.after(() => server.child.kill('SIGKILL'));
    const stopped = server.stop('SIGQUIT');
    await until(async () => (await send(server.url, developer.key, '/readyz')).status === 503);
    assert.equal((await send(server.url, developer.key, '/api/v1/stocklist')).status, 200);
    server.child.kill('SIGINT');
    assert.equal(await stopped, 0);
  }
});

test('Ctrl-C logs no lost connection when the embedded PostgreSQL ends before it has closed the connections', async (t) => {
  const folder = dataFolder(t);
  const server = await serving({ OFFPLAN_DATA_DIR: folder, LOG_LEVEL: 'warn' });
  t.after(() => server.child.kill('SIGKILL'));
  // These do not notice that the service closes them.
  const slow = await freezeIdle(folder);
  const stopped = server.stop();
  await until(() => slow.every(hasToEnd));
  for (const pid of slow) process.kill(pid, 'SIGCONT');
  assert.equal(await stopped, 0);
  assert.equal(server.logged(), '');
});

/** The start still sends statements after its first line. Connections that are idle this often in a row are idle for good. */
const IDLE_COUNT = 20;

/** Freezes the processes of PostgreSQL that serve connections, at a moment when none runs a statement, and returns their pids. */
async function freezeIdle(folder: string): Promise<number[]> {
  let idleCount = 0;
  let pids: number[] = [];
  const areIdle = () =>
    pids.length > 0 && pids.every((pid) => readProc(pid, 'cmdline').includes(`${CONNECTION} idle`));
  await until(() => {
    pids = postgresPids(folder).filter((pid) => readProc(pid, 'cmdline').includes(CONNECTION));
    idleCount = areIdle() ? idleCount + 1 : 0;
    if (idleCount < IDLE_COUNT) return false;
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    if (areIdle()) return true;
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    return false;
  });
  return pids;
}

/** A part of the title of each process of PostgreSQL that serves a connection to the database. */
const CONNECTION = 'offplan offplan [local]';

const readProc = (pid: number, name: string): string =>
  readFileSync(`/proc/${pid}/${name}`, 'utf8');

/** Returns whether a stopped process has got SIGTERM from PostgreSQL. */
function hasToEnd(pid: number): boolean {
  const [, signals = ''] = /^ShdPnd:\s*(\w+)$/m.exec(readProc(pid, 'status')) ?? [];
  return (Number.parseInt(signals, 16) & (1 << (constants.signals.SIGTERM - 1))) !== 0;
}

test('SIGQUIT ends a command with exit code 131, and the command prints nothing', async (t) => {
  const child = spawn(BIN, ['keys', 'list', developer.slug], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  await whileLocked(service.db, 'api_keys', async () => {
    await someoneWaits(service.db);
    child.kill('SIGQUIT');
    assert.deepEqual(await once(child, 'exit'), [131, null]);
  });
  assert.deepEqual(await printed, ['', '']);
});
