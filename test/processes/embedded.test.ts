import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgresError, startEmbedded } from '../../src/platform/postgres/index.ts';

const isRoot = process.geteuid?.() === 0;
const rootOnly = { skip: isRoot ? false : 'only root runs the server as another user' };
const flockOnly = { skip: process.platform === 'linux' ? false : 'other systems have no flock' };
const room = new URL('../../src/platform/postgres/index.ts', import.meta.url).href;

/** A data folder that tests use one after the other, or copy: making one takes seconds. */
const template = { folder: '', dataDir: '' };

before(() => {
  template.folder = makeFolder();
  template.dataDir = join(template.folder, 'data');
  execFileSync('cp', ['-a', String(process.env['TEST_DATA_FOLDER']), template.dataDir]);
});
after(() => rmSync(template.folder, { recursive: true, force: true }));

test('the first start makes a durable UTF-8 database without a network, and the last release stops the server', async (t) => {
  const dataDir = join(newFolder(t), 'deep', 'data');
  const notes: string[] = [];
  const umask = process.umask(0o077);
  atEnd(t, () => process.umask(umask));
  const embedded = await start(t, dataDir, notes);
  const [settings] = await query(
    embedded.connection,
    `select current_user as me, current_database() as db, current_setting('listen_addresses') as net,
            current_setting('fsync') || current_setting('synchronous_commit') ||
            current_setting('full_page_writes') || current_setting('data_checksums') as durable,
            current_setting('wal_segment_size') as segment, current_setting('shared_buffers') as buffers, current_setting('timezone') as zone,
            pg_encoding_to_char(encoding) as encoding, datlocprovider::text || datlocale as locale
       from pg_database where datname = current_database()`,
  );
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  const eighthMb = Math.floor(memoryBytes / 8 / 2 ** 20);
  assert.deepEqual(settings, {
    me: 'offplan',
    db: 'offplan',
    net: '',
    durable: 'onononon',
    segment: '1MB',
    // An eighth of the memory, from 128 to 512 MB.
    buffers: `${Math.min(Math.max(eighthMb, 128), 512)}MB`,
    zone: 'UTC',
    encoding: 'UTF8',
    locale: 'bC.UTF-8',
  });
  assert.equal(notes.length, 1);
  assert.match(notes[0] ?? '', /^Setting up PostgreSQL in .*postgres \(first start\)\.$/);
  assert.equal(modeOf(dataDir), isRoot ? '711' : '700');
  for (const name of ['postgres', 'run']) assert.equal(modeOf(join(dataDir, name)), '700');
  const pid = postmasterPid(dataDir);
  await Promise.all([embedded.release(), embedded.release()]);
  assert.equal(isAlive(pid), false);
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['postgres', 'run']);
});

test('later starts print nothing, keep the data, and ignore PGHOST and similar variables', async (t) => {
  const dataDir = useTemplate(t);
  const notes: string[] = [];
  const noise = { PGPORT: '1', PGHOST: 'nowhere', PGSSLMODE: 'require', PGDATA: '/', PGUSER: 'x' };
  Object.assign(process.env, noise);
  atEnd(t, () => {
    for (const name of Object.keys(noise)) delete process.env[name];
  });
  for (const expected of [null, 'stored']) {
    const embedded = await start(t, dataDir, notes);
    const [row] = await query(embedded.connection, `select to_regclass('stored')::text as name`);
    assert.equal(row?.['name'], expected);
    await query(embedded.connection, 'create table if not exists stored (n int)');
    await embedded.release();
  }
  assert.deepEqual(notes, []);
});

test('the log of the server never holds what a client sent', async (t) => {
  const dataDir = useTemplate(t);
  const embedded = await start(t, dataDir);
  await query(embedded.connection, 'create table people (email text unique)');
  const insert = `insert into people values ('kim@example.nz')`;
  await query(embedded.connection, insert);
  await assert.rejects(query(embedded.connection, insert), { code: '23505' });
  await embedded.release();
  assert.equal(modeOf(join(dataDir, 'postgres', 'server.log')), '600');
  assert.match(readLog(dataDir), /ready to accept connections/);
  assert.doesNotMatch(readLog(dataDir), /kim@|people/);
});

test('processes that start at once on an empty folder share one server', async (t) => {
  const dataDir = join(newFolder(t), 'data');
  const users = await Promise.all([useIn(t, dataDir), useIn(t, dataDir)]);
  assert.equal(new Set(users.map((user) => user.server)).size, 1);
  await Promise.all(users.map((user) => user.release()));
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['postgres', 'run']);
});

test('the last process that uses the server stops it, and Ctrl-C in a terminal does not reach it', async (t) => {
  const dataDir = useTemplate(t);
  const first = await useIn(t, dataDir);
  const second = await useIn(t, dataDir);
  const pid = postmasterPid(dataDir);
  const [group, session] = ps('pgid=,sess=', pid).split(/\s+/).map(Number);
  assert.equal(group, pid);
  assert.notEqual(session, Number(ps('sess=', first.pid)));
  await first.release();
  await query(second.connection, 'select 1');
  assert.equal(isAlive(pid), true);
  await second.release();
  assert.equal(isAlive(pid), false);
});

test('users that come and go always find a server, and the last one stops it in order', async (t) => {
  const dataDir = useTemplate(t);
  const logOffset = readLog(dataDir).length;
  const visit = async (seed: number) => {
    for (let n = 0; n < 4; n += 1) {
      const embedded = await start(t, dataDir);
      await query(embedded.connection, 'select 1');
      await sleep((seed * 7 + n * 13) % 40);
      await query(embedded.connection, 'select 1');
      await embedded.release();
    }
  };
  await Promise.all([visit(1), visit(2), visit(3)]);
  assert.equal(existsSync(join(dataDir, 'postgres', 'postmaster.pid')), false);
  const log = readLog(dataDir).slice(logOffset);
  assert.doesNotMatch(log, /not properly shut down/);
});

test('after kill -9 of its only user the server is found, used and stopped by the next', async (t) => {
  const dataDir = useTemplate(t);
  const killed = await useIn(t, dataDir);
  const pid = postmasterPid(dataDir);
  await killed.kill();
  assert.equal(isAlive(pid), true);
  const next = await useIn(t, dataDir);
  assert.equal(next.server, killed.server);
  await next.release();
  assert.equal(isAlive(pid), false);
});

test('after kill -9 of the server and its user everything committed is there', async (t) => {
  const dataDir = useTemplate(t);
  const killed = await useIn(t, dataDir);
  await query(killed.connection, 'create table committed as select generate_series(1, 1000) as n');
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await killed.kill();
  const next = await start(t, dataDir);
  const [row] = await query(next.connection, 'select count(*)::int as rows from committed');
  assert.equal(row?.['rows'], 1000);
});

test('after kill -9 of the server its users start it again and stay its users', async (t) => {
  const dataDir = useTemplate(t);
  const notes: string[] = [];
  const embedded = await start(t, dataDir, notes);
  const other = await useIn(t, dataDir);
  const pid = postmasterPid(dataDir);
  const logOffset = readLog(dataDir).length;
  const readOutput = () => {
    const log = readLog(dataDir).slice(logOffset);
    return `notes:\n${notes.join('\n')}\nlog:\n${log}\nother user:\n${other.printed()}`;
  };
  process.kill(pid, 'SIGKILL');
  await eventually(async () => {
    assert.equal(await countUsers(embedded.connection), 2);
    assert.notEqual(postmasterPid(dataDir), pid);
  }, readOutput);
  assert.match(notes.join('\n'), /^The connection to PostgreSQL was lost/);
  // Users also come back after PostgreSQL has ended their connections: for a second each one that holds the lock, and then for a
  // second each new one.
  const users = `pg_locks where locktype = 'advisory' and granted`;
  const all = `pg_stat_activity where datname = 'postgres' and backend_type = 'client backend'`;
  for (const from of [users, all]) {
    const cut = `do $$ begin
      for i in 1 .. 1000 loop
        perform pg_stat_clear_snapshot();
        perform pg_terminate_backend(pid) from ${from};
        perform pg_sleep(0.001);
      end loop;
    end $$`;
    await query(embedded.connection, cut);
  }
  await eventually(async () => assert.equal(await countUsers(embedded.connection), 2), readOutput);
  await other.release();
  const lastPid = postmasterPid(dataDir);
  await query(embedded.connection, 'select 1');
  await embedded.release();
  assert.equal(isAlive(lastPid), false);
});

test(
  'of many processes that find a killed server at once, one starts it again',
  flockOnly,
  async (t) => {
    const dataDir = useTemplate(t);
    const killed = await useIn(t, dataDir);
    const logOffset = readLog(dataDir).length;
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await killed.kill();
    const users = await Promise.all(Array.from({ length: 6 }, () => start(t, dataDir)));
    const log = readLog(dataDir).slice(logOffset);
    // A second PostgreSQL would say here that the first one has locked the folder.
    assert.equal(log.match(/starting PostgreSQL/g)?.length, 1, log);
    assert.doesNotMatch(log, /FATAL: {2}(lock file|pre-existing)/);
    await Promise.all(users.map((user) => user.release()));
    assert.equal(isServed(dataDir), false);
  },
);

test('a release while the server is away or comes back leaves no server', async (t) => {
  const dataDir = useTemplate(t);
  for (const delayMs of [0, 100]) {
    const embedded = await start(t, dataDir);
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await sleep(delayMs);
    await embedded.release();
    assert.equal(isServed(dataDir), false, `released after ${delayMs} ms`);
  }
});

for (const [whose, pidOf] of [
  [
    'another process',
    async (t: TestContext, dataDir: string) => spawnAsOwner(t, dataDir, 'exec sleep 60'),
  ],
  ['a zombie', makeZombie],
] as const)
  test(`lock files of a dead server with the pid of ${whose} do not keep the next from starting`, async (t) => {
    const dataDir = useTemplate(t);
    const pid = await pidOf(t, dataDir);
    const text = `${pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n/tmp\n\n  1 2\n`;
    for (const name of ['postgres/postmaster.pid', 'run/.s.PGSQL.5432.lock']) {
      writeFileSync(join(dataDir, name), text);
      giveToOwner(join(dataDir, name), dataDir);
    }
    const embedded = await start(t, dataDir);
    assert.notEqual(postmasterPid(dataDir), Number(pid));
    assert.equal(ps('pid=', Number(pid)), pid, 'the process is left alone');
    await embedded.release();
  });

test('a process that is killed in its first start does no harm to the next', async (t) => {
  const dataDir = join(newFolder(t), 'data');
  const killed = startUser(t, dataDir);
  await eventually(async () => assert.match(readdirSync(dataDir).join(), /postgres\.init-/));
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  assert.equal(existsSync(join(dataDir, 'postgres')), false);
  const next = await start(t, dataDir);
  await query(next.connection, 'select 1');
  await next.release();
});

test('a start removes what a first start that was killed long ago has left, and nothing of one that runs', async (t) => {
  const dataDir = useTemplate(t);
  const [old, young] = ['old', 'young'].map((id) => join(dataDir, `postgres.init-${id}`));
  assert.ok(old !== undefined && young !== undefined);
  for (const draft of [old, young]) mkdirSync(join(draft, 'base'), { recursive: true });
  atEnd(t, () => rmSync(young, { recursive: true }));
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(old, longAgo, longAgo);
  await (await start(t, dataDir)).release();
  assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
});

for (const version of ['17\n', ''])
  test(`a "postgres" folder with the version ${version.trim() || 'of nothing'} is refused and not touched`, async (t) => {
    const folder = join(newFolder(t), 'data', 'postgres');
    mkdirSync(folder, { recursive: true });
    if (version !== '') writeFileSync(join(folder, 'PG_VERSION'), version);
    const before = readdirSync(folder);
    await refuses(
      t,
      join(folder, '..'),
      /is not a database of PostgreSQL 18 \(its version is (17|none)\): move it away/,
    );
    assert.deepEqual(readdirSync(folder), before);
  });

test('a server that does not start says why, and where its log is', async (t) => {
  const dataDir = useTemplate(t);
  const conf = join(dataDir, 'postgres', 'postgresql.conf');
  const good = readFileSync(conf, 'utf8');
  atEnd(t, () => writeFileSync(conf, good));
  writeFileSync(conf, `${good}\nshared_buffers = '1000TB'\n`);
  await refuses(
    t,
    dataDir,
    /^The embedded PostgreSQL does not start: FATAL: .* \(log: .*server\.log\): fix the problem that this names/,
  );
});

test('a data folder with a long path has its socket in /tmp, in a folder of its user alone', async (t) => {
  const dataDir = join(newFolder(t), `${'long '.repeat(20)}"quoted"`, 'data');
  mkdirSync(join(dataDir, '..'));
  execFileSync('cp', ['-a', template.dataDir, dataDir]);
  const embedded = await start(t, dataDir);
  const folder = embedded.connection.host;
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  assert.match(folder, /^\/tmp\/offplan-[\da-f]{24}$/);
  assert.equal(modeOf(folder), '700');
  await query(embedded.connection, 'select 1');
  await embedded.release();
  const refusal = /is not a folder of user ".*" alone .*: remove it\.$/;
  chmodSync(folder, 0o777);
  await refuses(t, dataDir, refusal);
  if (!isRoot) return;
  chmodSync(folder, 0o700);
  chownSync(folder, 12_345, 12_345);
  await refuses(t, dataDir, refusal);
});

test('a data folder that cannot be made is refused in one line', async (t) => {
  const file = join(newFolder(t), 'file');
  writeFileSync(file, '');
  await refuses(t, join(file, 'data'), /cannot enter .*file.*: name a folder/);
});

test('as root the server and its files belong to an unprivileged user', rootOnly, async (t) => {
  const dataDir = useTemplate(t);
  const embedded = await start(t, dataDir);
  const { uid } = statSync(join(dataDir, 'postgres'));
  assert.notEqual(uid, 0);
  const status = readFileSync(`/proc/${postmasterPid(dataDir)}/status`, 'utf8');
  assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'));
  assert.match(status, /^Groups:\s*$/m);
  assert.deepEqual([statSync(join(dataDir, 'run')).uid, statSync(dataDir).uid], [uid, 0]);
  await embedded.release();
});

test(
  'an ordinary user and root use one server, which runs as the owner of the files',
  rootOnly,
  async (t) => {
    const dataDir = join(newFolder(t), 'data');
    execFileSync('cp', ['-a', template.dataDir, dataDir]);
    const uid = Number(execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }));
    execFileSync('chown', ['-R', `${uid}:${uid}`, dataDir]);
    const root = await useIn(t, dataDir);
    const user = await useIn(t, dataDir, uid);
    assert.equal(root.server, user.server);
    assert.equal(Number(ps('uid=', postmasterPid(dataDir))), uid);
    await root.release();
    await query(user.connection, 'select 1');
    await user.release();
  },
);

test(
  'an ordinary user gets one line on a data folder that root has started, and PostgreSQL there is left alone',
  rootOnly,
  async (t) => {
    const dataDir = useTemplate(t);
    const root = await start(t, dataDir);
    const uid = Number(execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }));
    const { child, printed } = startUser(t, dataDir, uid);
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.match(
      printed(),
      /Another user runs PostgreSQL in .*: run this as root or as that user, or name another/,
    );
    await query(root.connection, 'select 1');
    await root.release();
  },
);

test(
  'a named folder that the user for PostgreSQL cannot enter is refused in one line',
  rootOnly,
  async (t) => {
    const folder = newFolder(t);
    chmodSync(folder, 0o700);
    await refuses(t, join(folder, 'data'), /cannot enter .*data: name a folder that it can enter/);
    assert.deepEqual(readdirSync(folder), [], 'and nothing is made');
  },
);

test(
  'data of a default folder that the user for PostgreSQL cannot enter is under the system folder',
  rootOnly,
  async (t) => {
    const folder = newFolder(t);
    const [checkout, systemFolder] = [join(folder, 'checkout'), join(folder, 'system')];
    mkdirSync(checkout, { mode: 0o700 });
    const options = { dataDir: join(checkout, '.offplan'), isDefaultDataDir: true, systemFolder };
    const notes: string[] = [];
    const use = async () => {
      const embedded = await startEmbedded({ ...options, note: (text) => notes.push(text) });
      atEnd(t, () => embedded.release());
      const { host } = embedded.connection;
      await embedded.release();
      return host;
    };
    const first = await use();
    assert.match(first, /\/system\/checkout-[\da-f]{12}\/run$/);
    assert.match(
      notes[0] ?? '',
      /has its data in .*checkout-.* \(its user ".*" cannot enter .*checkout\)\.$/,
    );
    // The data stays in use when the folder is opened later.
    chmodSync(checkout, 0o755);
    assert.equal(await use(), first);
    // Data in the default folder itself is never left behind for an empty database elsewhere.
    mkdirSync(join(options.dataDir, 'postgres'), { recursive: true });
    chmodSync(checkout, 0o700);
    await assert.rejects(use(), /cannot enter/);
  },
);

// ---- Helpers ---------------------------------------------------------------------------------

/** Undoes in reverse order: a user of a server would start it again. */
const undoing = new WeakMap<TestContext, (() => unknown)[]>();

function atEnd(t: TestContext, undo: () => unknown): void {
  const undos = undoing.get(t) ?? [];
  if (undos.length === 0)
    t.after(async () => {
      for (const each of undos.toReversed()) await each();
    });
  undoing.set(t, undos);
  undos.push(undo);
}

async function start(t: TestContext, dataDir: string, notes: string[] = []) {
  const note = (text: string) => notes.push(text);
  const embedded = await startEmbedded({ dataDir, isDefaultDataDir: false, note });
  atEnd(t, () => embedded.release());
  return embedded;
}

async function refuses(t: TestContext, dataDir: string, message: RegExp): Promise<void> {
  await assert.rejects(start(t, dataDir), (error: Error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}

/** A folder that every user can enter. */
function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'offplan-embedded-')));
  chmodSync(folder, 0o755);
  return folder;
}

function newFolder(t: TestContext): string {
  const folder = makeFolder();
  atEnd(t, async () => {
    await stopServersIn(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

function useTemplate(t: TestContext): string {
  atEnd(t, () => stopServersIn(template.folder));
  return template.dataDir;
}

/** Ends each process that works in a folder: the server of a test that went wrong, and an initdb whose parent was killed. */
async function stopServersIn(folder: string): Promise<void> {
  for (const pid of pidsIn(folder)) {
    try {
      process.kill(pid, 'SIGQUIT');
    } catch (error) {
      // It ended by itself meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  await eventually(async () => assert.deepEqual(pidsIn(folder), []));
}

/** The processes whose command line names a folder. */
function pidsIn(folder: string): number[] {
  const processes = execFileSync('ps', ['-eww', '-o', 'pid=,command='], { encoding: 'utf8' });
  const lines = processes.split('\n').filter((line) => line.includes(folder));
  return lines.map((line) => Number.parseInt(line, 10));
}

async function query(connection: pg.ClientConfig, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function countUsers(connection: pg.ClientConfig): Promise<number> {
  const text = `select from pg_locks where locktype = 'advisory' and granted`;
  return (await query(connection, text)).length;
}

const userScript = `
  const { startEmbedded } = await import(${JSON.stringify(room)});
  const embedded = await startEmbedded({ dataDir: process.argv[1], isDefaultDataDir: false });
  console.log(JSON.stringify(embedded.connection));
  process.stdin.on('end', () => embedded.release()).resume();
`;

function startUser(t: TestContext, dataDir: string, uid?: number) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', userScript, dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  atEnd(t, () => child.kill('SIGKILL'));
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, lines: createInterface({ input: child.stdout }), printed: () => printed };
}

/** Starts a process that uses the server until it is released or killed. */
async function useIn(t: TestContext, dataDir: string, uid?: number) {
  const { child, lines, printed } = startUser(t, dataDir, uid);
  const exit = once(child, 'exit');
  const line = await Promise.race([once(lines, 'line'), exit.then(() => null)]);
  assert.ok(line !== null, `the process ended before it had a server: ${printed()}`);
  const connection = JSON.parse(String(line[0])) as pg.ClientConfig;
  const text = `select pg_postmaster_start_time()::text || system_identifier as server from pg_control_system()`;
  return {
    pid: child.pid ?? 0,
    connection,
    printed,
    /** Names the server: its start time and the cluster's own number. */
    server: String((await query(connection, text))[0]?.['server']),
    release: async () => {
      child.stdin.end();
      assert.deepEqual(await exit, [0, null]);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Returns the log of the server, or nothing before its first start. */
function readLog(dataDir: string): string {
  const path = join(dataDir, 'postgres', 'server.log');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Whether a server runs. One that was killed leaves its pid file. */
function isServed(dataDir: string): boolean {
  const path = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(path) && isAlive(postmasterPid(dataDir));
}

/** Whether a process lives; a zombie does not. */
function isAlive(pid: number): boolean {
  return /^[^Z]/.test(ps('state=', pid));
}

function ps(columns: string, pid: number): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** Runs a shell script as the owner of the database, and returns its pid. PostgreSQL checks only processes of its own user. */
function spawnAsOwner(t: TestContext, dataDir: string, script: string) {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  const child = spawn('sh', ['-c', script], { uid, gid, stdio: 'ignore' });
  atEnd(t, () => child.kill('SIGKILL'));
  return String(child.pid);
}

/** Makes a process that has ended and that its parent never reaps. Returns its pid. */
async function makeZombie(t: TestContext, dataDir: string): Promise<string> {
  const parent = spawnAsOwner(t, dataDir, 'sleep 0.1 & exec sleep 60');
  let pid = '';
  await eventually(async () => {
    const children = execFileSync('ps', ['-o', 'pid=,state=', '--ppid', parent], {
      encoding: 'utf8',
    });
    pid = /^\s*(\d+)\s+Z/.exec(children)?.[1] ?? '';
    assert.notEqual(pid, '');
  });
  return pid;
}

function giveToOwner(path: string, dataDir: string): void {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  chownSync(path, uid, gid);
}

/** Repeats an assertion until it passes, for at most 30 seconds. A failure quotes the end of what `readOutput` returns. */
async function eventually(
  check: () => Promise<void>,
  readOutput: () => string = () => '',
): Promise<void> {
  const endMs = Date.now() + 30_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > endMs) throw new Error(readOutput().slice(-4_000), { cause: error });
    }
    await sleep(50);
  }
}
