import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { someoneWaits, whileLocked } from '../support/locks.ts';
import {
  BIN,
  dataFolder,
  offplan,
  postgresPids,
  serving,
  type Serving,
} from '../support/process.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const WORKERS = { OFFPLAN_WORKERS: '2', LOG_LEVEL: 'warn' };

const service = await build({ after });
const { key } = await developersOf(service)();
const environment = { ...WORKERS, DATABASE_URL: await databaseUrl(service.db) };
const server = await serving(environment);
after(() => server.stop());

/** Reads the parent and the command of a process; undefined when it has ended. */
function living(pid: number): { parent: number; command: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended. That of an orphan stays until process 1 reaps it.
    if (state === 'Z') return undefined;
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined;
  }
}

/** The process ids of the workers that live now. */
function workersOf({ child }: { child: ChildProcess }): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    const found = living(pid);
    return found?.parent === child.pid && found?.command.includes(BIN);
  });
}

const areGone = (pids: number[]) => () => pids.every((pid) => living(pid) === undefined);

/** The URL that a process prints once it listens. */
async function listening(child: ChildProcess): Promise<string> {
  let printed = '';
  const url = () => /listening on (http:\S+)/.exec(printed)?.[1];
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await until(() => url() !== undefined);
  return String(url());
}

/** Which process answers a new connection: the first half of its request ids. */
async function whoAnswers({ url }: { url: string }): Promise<string> {
  const sent = request(`${url}/readyz`, { agent: false }).end();
  const response = await once(sent, 'response').then(
    ([first]) => first as IncomingMessage,
    (error: NodeJS.ErrnoException) => {
      // When a worker dies, the kernel closes the connections that it has not accepted, so that no client waits forever.
      assert.equal(error.code, 'ECONNRESET');
    },
  );
  if (response === undefined) return whoAnswers({ url });
  response.resume();
  assert.equal(response.statusCode, 200);
  return String(response.headers['x-request-id']).split('-')[0] ?? '';
}

// The kernel chooses one of two workers for each connection. The chance to miss one of them in 30 tries is one in a billion.
async function answerers(server: Serving): Promise<string[]> {
  const ids = new Set<string>();
  for (let n = 0; n < 30 && ids.size < 2; n += 1) ids.add(await whoAnswers(server));
  return [...ids];
}

/** Begins two imports, and leaves out the last byte of each. */
function begunImports(url: string, key: string): Promise<ClientRequest[]> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    // The answer to this header says that the request has begun to arrive.
    expect: '100-continue',
  };
  return Promise.all(
    [1, 2].map(async () => {
      const sent = request(`${url}/api/v1/contacts`, { agent: false, method: 'POST', headers });
      await once(sent, 'continue');
      sent.write(`{"email": "${randomUUID()}@example.com"`);
      return sent;
    }),
  );
}

function finish(imports: ClientRequest[]): Promise<(number | undefined)[]> {
  return Promise.all(
    imports.map(async (sent) => {
      sent.end('}');
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    }),
  );
}

test('OFFPLAN_WORKERS processes answer on one port', async () => {
  assert.equal(workersOf(server).length, 2);
  assert.equal((await answerers(server)).length, 2);
});

test('with one worker the process that was started answers by itself', async (t) => {
  const alone = await serving({ ...environment, OFFPLAN_WORKERS: '1' });
  t.after(() => alone.child.kill('SIGKILL'));
  assert.deepEqual(workersOf(alone), []);
  assert.equal((await answerers(alone)).length, 1);
  assert.equal(await alone.stop(), 0);
});

test('serve with workers prints one line and exits with 1 when its port is in use, and no process stays', async () => {
  const { port } = new URL(server.url);
  // The output ends only when all processes that could write to it have ended.
  const { code, stdout, stderr } = await offplan(['serve', '--port', port], environment);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    new RegExp(
      `^offplan: port ${port} on 127.0.0.1 is in use; name another with --port or PORT\\n$`,
    ),
  );
  assert.equal((await answerers(server)).length, 2);
});

test('a worker that is killed, or ended by SIGTERM, is replaced, and the other answers meanwhile', async () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const [killed = 0, other] = workersOf(server);
    process.kill(killed, signal);
    await until(areGone([killed]));
    await whoAnswers(server);
    await until(async () => (await answerers(server)).length === 2);
    const now = workersOf(server);
    assert.equal(now.length, 2);
    assert.ok(now.includes(Number(other)) && !now.includes(killed));
  }
});

test('a worker that hangs is killed and replaced, and the other stays', async (t) => {
  let log = '';
  const watched = await serving({ ...environment, OFFPLAN_WORKER_TIMEOUT: '3' });
  t.after(() => watched.child.kill('SIGKILL'));
  watched.child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const [hanging = 0, other = 0] = workersOf(watched);
  process.kill(hanging, 'SIGSTOP');
  await until(areGone([hanging]));
  await until(async () => (await answerers(watched)).length === 2);
  assert.ok(workersOf(watched).includes(other));
  await until(() =>
    log.includes(`"pid":${hanging},"msg":"a worker does not answer and is killed"`),
  );
  assert.equal(await watched.stop(), 0);
});

test('a worker that a busy machine stops for a while in its start is not killed', async (t) => {
  const env = { ...process.env, ...environment, OFFPLAN_WORKER_TIMEOUT: '1' };
  const child = spawn(BIN, ['serve', '--port', '0'], { env });
  t.after(() => child.kill('SIGKILL'));
  const complaints = text(child.stderr);
  await whileLocked(service.db, 'schema_migrations', () => someoneWaits(service.db));
  // The first process goes on, and starts the workers.
  await whileLocked(service.db, 'schema_migrations', async () => {
    await someoneWaits(service.db, 2);
    const [stopped] = workersOf({ child });
    assert.ok(stopped !== undefined);
    process.kill(stopped, 'SIGSTOP');
    await run(service.db, 'select pg_sleep(1.5)');
    process.kill(stopped, 'SIGCONT');
  });
  await listening(child);
  child.kill('SIGINT');
  assert.equal(await complaints, '');
});

test('a worker that cannot start is tried again a second later, and serves when it can', async () => {
  let log = '';
  server.child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ends = () =>
    log
      .split('\n')
      .filter((line) => line.includes('a worker ended and is replaced'))
      .map((line) => Date.parse((JSON.parse(line) as { time: string }).time));
  await run(service.db, `insert into schema_migrations values (9999, 'newer', '', now())`);
  process.kill(Number(workersOf(server)[0]), 'SIGKILL');
  await until(() => ends().length >= 3);
  await run(service.db, 'delete from schema_migrations where version = 9999');
  const [killed = 0, , third = 0] = ends();
  assert.ok(third - killed > 1_900, log);
  await until(async () => (await answerers(server)).length === 2);
});

test('SIGTERM: every worker answers what is under way, all end, and the exit code is 0', async (t) => {
  const ending = await serving(environment);
  t.after(() => ending.child.kill('SIGKILL'));
  const workers = workersOf(ending);
  const imports = await begunImports(ending.url, key);
  const stopped = ending.stop('SIGTERM');
  await sleep(300);
  assert.deepEqual(await finish(imports), [201, 201]);
  assert.equal(await stopped, 0);
  assert.equal(workers.length, 2);
  assert.ok(areGone(workers)());
});

test('Ctrl-C goes to all processes, and by npm twice: what is under way is answered, and the exit code is 0', async (t) => {
  const child = spawn(BIN, ['serve', '--port', '0'], {
    env: { ...process.env, ...environment },
    detached: true,
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const complaints = text(child.stderr);
  const url = await listening(child);
  const workers = workersOf({ child });
  const imports = await begunImports(url, key);
  process.kill(-Number(child.pid), 'SIGINT');
  await sleep(100);
  process.kill(-Number(child.pid), 'SIGINT');
  await sleep(300);
  assert.deepEqual(await finish(imports), [201, 201]);
  assert.deepEqual(await ended, [0, null]);
  assert.equal(workers.length, 2);
  assert.ok(areGone(workers)());
  assert.equal(await complaints, '');
});

test('kill -9 of the first process: the workers answer what is under way, and neither they nor PostgreSQL stay', async (t) => {
  const folder = dataFolder(t);
  const killed = await serving({ ...WORKERS, OFFPLAN_DATA_DIR: folder }, '--demo');
  const writeKey = () => /Read-write key +(offplan_\w{49})\n/.exec(killed.printed())?.[1];
  await until(() => writeKey() !== undefined);
  const workers = workersOf(killed);
  const postgres = postgresPids(folder);
  const imports = await begunImports(killed.url, String(writeKey()));
  await killed.stop('SIGKILL');
  await sleep(300);
  assert.deepEqual(await finish(imports), [201, 201]);
  assert.equal(workers.length, 2);
  await until(areGone([...workers, ...postgres]));
});

test('kill -9 of the first process while its workers start ends all of them', async () => {
  for (const afterMs of [0, 600]) {
    const child = spawn(BIN, ['serve', '--port', '0'], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    await until(() => workersOf({ child }).length === 2);
    const workers = workersOf({ child });
    await sleep(afterMs);
    child.kill('SIGKILL');
    await until(areGone(workers));
  }
});
