import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ensureBinaries, findPackage, linkLibraries } from '../src/platform/postgres/binaries.ts';
import { run } from '../src/platform/postgres/command.ts';
import { removeLockFile } from '../src/platform/postgres/locks.ts';
import { choosePlace } from '../src/platform/postgres/place.ts';
import { socketFolderFor } from '../src/platform/postgres/socket.ts';
import { EmbeddedPostgresError, startEmbedded } from '../src/platform/postgres/index.ts';
import { findServerUser } from '../src/platform/postgres/user.ts';

type Connection = pg.ClientConfig & { host: string };

const isRoot = process.geteuid?.() === 0;
const rootOnly = { skip: isRoot ? false : 'only root runs the server as another user' };
const startFile = join(import.meta.dirname, '../src/platform/postgres/start.ts');

/** A cluster that tests use in turn, or copy when they spoil it: to make one takes a second. */
const template = { folder: '', dataDir: '' };

before(async () => {
  template.folder = makeRoom();
  template.dataDir = join(template.folder, 'data');
  await (await startEmbedded({ dataDir: template.dataDir, dataDirIsDefault: false })).release();
});
after(() => rmSync(template.folder, { recursive: true, force: true }));

// ---- The first start, and what it makes ------------------------------------------------------

test('a first start makes segments of the log so small that no commit waits for long for a new one', async (t) => {
  const { connection } = await start(t, join(newRoom(t), 'data'));
  assert.deepEqual(await query(connection, 'show wal_segment_size'), [{ wal_segment_size: '1MB' }]);
});

test('a first start gives a durable UTF-8 database, and the last release stops the server', async (t) => {
  const dataDir = join(newRoom(t), 'deep', 'data');
  const notes: string[] = [];
  const embedded = await start(t, dataDir, notes);
  const settings = await query(
    embedded.connection,
    `select current_user as me, current_database() as db, current_setting('listen_addresses') as net,
            current_setting('fsync') || current_setting('synchronous_commit') ||
            current_setting('full_page_writes') || current_setting('data_checksums') as durable,
            pg_encoding_to_char(encoding) as encoding, datlocprovider::text || datlocale as locale,
            lower('ĀÉ') as lower
       from pg_database where datname = current_database()`,
  );
  assert.deepEqual(settings, [
    {
      me: 'offplan',
      db: 'offplan',
      net: '',
      durable: 'onononon',
      encoding: 'UTF8',
      locale: 'bC.UTF-8',
      lower: 'āé',
    },
  ]);
  assert.equal(notes.length, 1);
  assert.match(notes[0] ?? '', /^Setting up PostgreSQL in .*postgres \(first start\)\.$/);
  const pid = postmasterPid(dataDir);
  await Promise.all([embedded.release(), embedded.release()]);
  assert.equal(isAlive(pid), false);
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['postgres', 'run']);
});

test('later starts are silent, keep the data, and do not need a free environment', async (t) => {
  const dataDir = useTemplate(t);
  const notes: string[] = [];
  const noise = { PGPORT: '1', PGHOST: 'nowhere', PGSSLMODE: 'require', PGDATA: '/', PGUSER: 'x' };
  const before = { ...process.env };
  Object.assign(process.env, noise);
  atEnd(t, () => {
    for (const name of Object.keys(noise)) delete process.env[name];
    Object.assign(process.env, before);
  });
  for (const expected of [null, 'kept']) {
    const embedded = await start(t, dataDir, notes);
    const [row] = await query(embedded.connection, `select to_regclass('kept')::text as kept`);
    assert.equal(row?.['kept'], expected);
    await query(embedded.connection, 'create table if not exists kept (n int)');
    await embedded.release();
  }
  assert.deepEqual(notes, []);
});

for (const umask of [0o077, 0o000])
  test(`under umask ${umask.toString(8).padStart(3, '0')} the folders have the modes they need`, async (t) => {
    const dataDir = join(newRoom(t), 'parent', 'data');
    const holder = await hold(t, dataDir, { umask });
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.equal(mode(dataDir), isRoot ? '711' : '700');
    assert.equal(mode(join(dataDir, 'postgres')), '700');
    assert.equal(mode(join(dataDir, 'run')), '700');
    assert.equal(mode(join(dataDir, 'postgres', 'server.log')), '600');
    await holder.release();
  });

test('the log never holds what a client sent', async (t) => {
  const dataDir = useTemplate(t);
  const embedded = await start(t, dataDir);
  await query(embedded.connection, 'create table people (email text unique)');
  const insert = `insert into people values ('kim@example.nz')`;
  await query(embedded.connection, insert);
  await assert.rejects(query(embedded.connection, insert), { code: '23505' });
  await embedded.release();
  const log = readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8');
  assert.match(log, /ready to accept connections/);
  assert.doesNotMatch(log, /kim@|people/);
});

// ---- Several processes -----------------------------------------------------------------------

test('three processes starting at once on nothing share one server, and leave nothing half-made', async (t) => {
  const dataDir = join(newRoom(t), 'data');
  const holders = await Promise.all([hold(t, dataDir), hold(t, dataDir), hold(t, dataDir)]);
  const servers = holders.map((holder) => holder.server);
  assert.equal(new Set(servers).size, 1, servers.join('\n'));
  await Promise.all(holders.map((holder) => holder.release()));
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['postgres', 'run']);
});

test('whoever leaves first leaves the server to the others; the last one stops it', async (t) => {
  const dataDir = useTemplate(t);
  const first = await hold(t, dataDir);
  const second = await hold(t, dataDir);
  const pid = postmasterPid(dataDir);
  await first.release();
  assert.equal((await query(second.connection, 'select 1 as one'))[0]?.['one'], 1);
  assert.equal(isAlive(pid), true);
  await second.release();
  assert.equal(isAlive(pid), false);
});

test('users that come and go at every moment always find a server, and the last one stops it', async (t) => {
  const dataDir = useTemplate(t);
  const logFile = join(dataDir, 'postgres', 'server.log');
  const logOffset = readFileSync(logFile, 'utf8').length;
  const visitor = async (seed: number) => {
    for (let visit = 0; visit < 12; visit += 1) {
      const embedded = await start(t, dataDir);
      await query(embedded.connection, 'select 1');
      await sleep((seed * 7 + visit * 13) % 40);
      await query(embedded.connection, 'select 1');
      await embedded.release();
    }
  };
  await Promise.all([visitor(1), visitor(2), visitor(3), visitor(4)]);
  assert.equal(existsSync(join(dataDir, 'postgres', 'postmaster.pid')), false);
  const log = readFileSync(logFile, 'utf8').slice(logOffset);
  assert.ok(log.split('ready to accept').length > 2, 'it was stopped and started in between');
  assert.doesNotMatch(log, /not properly shut down/);
});

test('whoever stops the server is not held up by the next who starts it', async (t) => {
  const dataDir = useTemplate(t);
  let current = await start(t, dataDir);
  for (let round = 0; round < 5; round += 1) {
    const startedMs = Date.now();
    const leaving = current.release();
    await sleep(round * 10);
    current = await start(t, dataDir);
    await leaving;
    assert.ok(Date.now() - startedMs < 10_000);
  }
});

test('Ctrl-C in the terminal does not reach the server', async (t) => {
  const dataDir = useTemplate(t);
  const holder = await hold(t, dataDir);
  const pid = postmasterPid(dataDir);
  const [group, session] = processGroup(pid);
  assert.equal(group, pid);
  assert.notEqual(session, processGroup(holder.child.pid ?? 0)[1]);
  await holder.release();
});

// ---- Deaths ----------------------------------------------------------------------------------

test('after kill -9 of its only user the server is found, used and stopped by the next', async (t) => {
  const dataDir = useTemplate(t);
  const killed = await hold(t, dataDir);
  const pid = postmasterPid(dataDir);
  await killed.kill();
  assert.equal(isAlive(pid), true);
  const next = await hold(t, dataDir);
  assert.equal(next.server, killed.server);
  await next.release();
  assert.equal(isAlive(pid), false);
});

test('after kill -9 of the server a process that uses it has it back by itself', async (t) => {
  const dataDir = useTemplate(t);
  const notes: string[] = [];
  const embedded = await start(t, dataDir, notes);
  const other = await hold(t, dataDir);
  await query(embedded.connection, 'create table survivors as select 1 as n');
  const pid = postmasterPid(dataDir);
  process.kill(pid, 'SIGKILL');
  await eventually(async () => {
    assert.equal((await query(embedded.connection, 'select n from survivors'))[0]?.['n'], 1);
    assert.notEqual(postmasterPid(dataDir), pid);
  });
  assert.match(notes.join('\n'), /^The connection to PostgreSQL was lost/);
  // Both are its users again: the first to leave leaves it to the other.
  await eventually(async () => assert.equal(await countPresences(embedded.connection), 2));
  await other.release();
  assert.equal(await countPresences(embedded.connection), 1);
  const lastPid = postmasterPid(dataDir);
  await embedded.release();
  assert.equal(isAlive(lastPid), false);
});

test('a release while the server is away or coming back leaves no server', async (t) => {
  const dataDir = useTemplate(t);
  for (const delayMs of [0, 40, 150]) {
    const embedded = await start(t, dataDir);
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await sleep(delayMs);
    await embedded.release();
    await sleep(150);
    assert.equal(isServed(dataDir), false, `released after ${delayMs} ms`);
  }
});

test('a server that refuses us is not left running', async (t) => {
  const dataDir = useTemplate(t);
  const path = join(dataDir, 'postgres', 'pg_hba.conf');
  const good = readFileSync(path, 'utf8');
  atEnd(t, () => writeFileSync(path, good));
  writeFileSync(path, 'local all all reject\n');
  await assert.rejects(start(t, dataDir), /cannot be used: .*pg_hba\.conf rejects/);
  await eventually(async () => assert.equal(isServed(dataDir), false));
});

test('a user whose connection was cut stays a user', async (t) => {
  const dataDir = useTemplate(t);
  const embedded = await start(t, dataDir);
  const [lost] = await presences(embedded.connection);
  const cut = `select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'offplan presence'`;
  await query(embedded.connection, cut);
  // The one that is cut can still be seen for a moment.
  await eventually(async () => {
    const found = await presences(embedded.connection);
    assert.deepEqual([found.length, found.includes(lost)], [1, false]);
  });
  const pid = postmasterPid(dataDir);
  await embedded.release();
  assert.equal(isAlive(pid), false);
});

test('after kill -9 of everything what was committed is there', async (t) => {
  const dataDir = useTemplate(t);
  const killed = await hold(t, dataDir);
  await query(killed.connection, 'create table committed as select generate_series(1, 1000) as n');
  const pid = postmasterPid(dataDir);
  process.kill(pid, 'SIGKILL');
  await killed.kill();
  const next = await hold(t, dataDir);
  const [row] = await query(next.connection, 'select count(*)::int as rows from committed');
  assert.equal(row?.['rows'], 1000);
  await next.release();
});

// ---- A stale postmaster.pid ------------------------------------------------------------------

test('a stale postmaster.pid that names a living stranger does not keep the server from starting', async (t) => {
  const dataDir = useTemplate(t);
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(await asOwner(dataDir)) });
  atEnd(t, () => stranger.kill('SIGKILL'));
  await startsDespite(t, dataDir, stranger.pid ?? 0);
  assert.equal(stranger.exitCode, null, 'the stranger is left alone');
});

test('a stale postmaster.pid that names another cluster’s server does not, either', async (t) => {
  const other = await hold(t, useTemplate(t));
  const dataDir = copyTemplate(t);
  await startsDespite(t, dataDir, postmasterPid(other.dataDir));
  assert.equal((await query(other.connection, 'select 1 as one'))[0]?.['one'], 1);
  await other.release();
});

test('a stale postmaster.pid that names a zombie does not, either', async (t) => {
  const dataDir = useTemplate(t);
  // The shell becomes a `sleep` that never asks how its child ended.
  const script = 'sleep 0.2 & echo $!; exec sleep 60';
  const parent = spawn('sh', ['-c', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(await asOwner(dataDir)),
  });
  atEnd(t, () => parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  await eventually(async () => assert.match(processState(Number(line)), /^Z/));
  await startsDespite(t, dataDir, Number(line));
});

test('a server that its parent does not bury has stopped all the same', async (t) => {
  const dataDir = useTemplate(t);
  const parent = await hold(t, dataDir);
  const other = await hold(t, dataDir);
  const pid = postmasterPid(dataDir);
  await parent.releaseAndStay();
  parent.child.kill('SIGSTOP');
  const startedMs = Date.now();
  await other.release();
  assert.ok(Date.now() - startedMs < 10_000);
  assert.match(processState(pid), /^Z/);
  // Nor does it keep the next from starting.
  await startsDespite(t, dataDir, pid);
  parent.child.kill('SIGCONT');
  await parent.release();
});

for (const name of ['postgres/postmaster.pid', 'run/.s.PGSQL.5432.lock'])
  test(`an empty ${name} does not, either`, async (t) => {
    const dataDir = useTemplate(t);
    const path = join(dataDir, name);
    execFileSync('touch', ['-d', '1 minute ago', path]);
    giveToOwner(path, dataDir);
    const holder = await hold(t, dataDir);
    await holder.release();
  });

test('a lock file that changed since it was judged stale is put back', async (t) => {
  const path = join(newRoom(t), 'postmaster.pid');
  writeFileSync(path, 'a new one');
  await removeLockFile(path, 'the old one');
  assert.equal(readFileSync(path, 'utf8'), 'a new one');
  assert.deepEqual(readdirSync(join(path, '..')), ['postmaster.pid']);
  await removeLockFile(path, 'a new one');
  assert.equal(existsSync(path), false);
});

// ---- Folders that are not as they should be --------------------------------------------------

test('what a process that died in its first start has left is swept away; a living one’s stays', async (t) => {
  const dataDir = useTemplate(t);
  const name = (pid: number) =>
    join(dataDir, `postgres.init-${pid}-00000000-0000-4000-8000-000000000000`);
  const [dead, living] = [name(deadPid()), name(process.ppid)];
  atEnd(t, () => rmSync(living, { recursive: true, force: true }));
  for (const folder of [dead, living]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'PG_VERSION'), '18\n');
  }
  const embedded = await start(t, dataDir);
  await embedded.release();
  assert.deepEqual([existsSync(dead), existsSync(living)], [false, true]);
});

test('kill -9 in the middle of the first start does no harm to the next', async (t) => {
  const dataDir = join(newRoom(t), 'data');
  const killed = startHolder(t, dataDir);
  await eventually(async () => assert.match(readdirSync(dataDir).join(), /postgres\.init-/));
  await sleep(300);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  assert.equal(existsSync(join(dataDir, 'postgres')), false);
  const next = await hold(t, dataDir);
  await next.release();
  await eventually(async () => {
    await (await start(t, dataDir)).release();
    assert.deepEqual(readdirSync(dataDir).toSorted(), ['postgres', 'run']);
  });
});

test('a "postgres" folder that is not a cluster of ours is refused and not touched', async (t) => {
  const dataDir = makeFakeCluster(join(newRoom(t), 'data'), '18');
  const folder = join(dataDir, 'postgres');
  rmSync(join(folder, 'global'), { recursive: true });
  await assert.rejects(start(t, dataDir), (error: Error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.match(error.message, /is not a complete database of Offplan: move it away/);
    return true;
  });
  assert.deepEqual(readdirSync(folder).toSorted(), ['PG_VERSION', 'pg_ident.conf']);
});

test('a cluster of another PostgreSQL is refused with a way out', async (t) => {
  const dataDir = makeFakeCluster(join(newRoom(t), 'data'), '17');
  await assert.rejects(
    start(t, dataDir),
    /was made by PostgreSQL 17, and this is PostgreSQL 18: export/,
  );
});

test('a server that does not start says why, and where its log is', async (t) => {
  const dataDir = useTemplate(t);
  const conf = join(dataDir, 'postgres', 'postgresql.conf');
  const good = readFileSync(conf, 'utf8');
  atEnd(t, () => writeFileSync(conf, good));
  writeFileSync(conf, `${good}\nshared_buffers = '1000TB'\n`);
  const startedMs = Date.now();
  await assert.rejects(
    start(t, dataDir),
    /^EmbeddedPostgresError: The embedded PostgreSQL does not start: FATAL: .* \(log: .*server\.log\)$/,
  );
  assert.ok(Date.now() - startedMs < 10_000, 'and says so at once');
});

test('another server on our socket is not taken for ours', async (t) => {
  const other = await hold(t, useTemplate(t));
  const dataDir = copyTemplate(t);
  rmSync(join(dataDir, 'run'), { recursive: true, force: true });
  symlinkSync(other.connection.host, join(dataDir, 'run'));
  await assert.rejects(start(t, dataDir), /is not a folder of user/, 'a link is not followed');
  rmSync(join(dataDir, 'run'));
  copyFolder(other.connection.host, join(dataDir, 'run'));
  symlinkSync(join(other.connection.host, '.s.PGSQL.5432'), join(dataDir, 'run', '.s.PGSQL.5432'));
  await assert.rejects(start(t, dataDir), / serves .*, and not .*: stop it/);
  await other.release();
});

test('a server whose files were removed is not used', async (t) => {
  const dataDir = join(newRoom(t), 'x'.repeat(100), 'data');
  mkdirSync(join(dataDir, '..'));
  copyFolder(template.dataDir, dataDir);
  const folder = socketFolderFor(dataDir);
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const holder = await hold(t, dataDir);
  const pid = postmasterPid(dataDir);
  atEnd(t, () => isAlive(pid) && process.kill(pid, 'SIGQUIT'));
  await holder.kill();
  rmSync(dataDir, { recursive: true });
  await assert.rejects(
    start(t, dataDir),
    / has lost its files and ends by itself.*: try again then/,
  );
});

test('in a folder with a long path the socket is in /tmp', async (t) => {
  const dataDir = join(newRoom(t), `${'long '.repeat(20)}"quoted"`, 'data');
  mkdirSync(join(dataDir, '..'), { recursive: true });
  copyFolder(template.dataDir, dataDir);
  const folder = socketFolderFor(realpathSync(dataDir));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const embedded = await start(t, dataDir);
  assert.equal(embedded.connection.host, folder);
  assert.match(folder, /^\/tmp\/offplan-[\da-f]{24}$/);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal((await query(embedded.connection, 'select 1 as one'))[0]?.['one'], 1);
  await embedded.release();
});

test('a folder in /tmp that others may enter is not used for the socket', async (t) => {
  const dataDir = makeFakeCluster(join(newRoom(t), 'x'.repeat(100), 'data'), '18');
  const folder = socketFolderFor(realpathSync(dataDir));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const refusal = /is not a folder of user ".*" alone .*: remove it\.$/;
  await assert.rejects(start(t, dataDir), refusal);
  assert.deepEqual(readdirSync(folder), []);
  if (!isRoot) return;
  chmodSync(folder, 0o700);
  chownSync(folder, 12_345, 12_345);
  await assert.rejects(start(t, dataDir), refusal);
});

test('a data folder that cannot be made is told in one line', async (t) => {
  const file = join(newRoom(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(
    start(t, join(file, 'data')),
    /^EmbeddedPostgresError: .*file is a file, not a folder: name a folder in OFFPLAN_DATA_DIR\.$/,
  );
});

// ---- The installed package -------------------------------------------------------------------

test('a platform without binaries is told to set DATABASE_URL', () => {
  assert.throws(
    () => findPackage('sunos', 'sparc'),
    /sunos-sparc .* is not installed: reinstall without --omit=optional, or set DATABASE_URL/,
  );
  assert.throws(() => findPackage('win32', 'x64'), /Windows.*DATABASE_URL/);
});

test('installed with --ignore-scripts, the libraries get their links, also from several at once', async (t) => {
  const packageFolder = copyPackageWithoutLinks(t);
  const postgres = join(packageFolder, 'native', 'bin', 'postgres');
  assert.throws(() => execFileSync(postgres, ['--version'], { stdio: 'ignore' }));
  const results = await Promise.all([1, 2, 3, 4].map(() => linkLibraries(packageFolder)));
  assert.deepEqual(results, [true, true, true, true]);
  assert.match(execFileSync(postgres, ['--version'], { encoding: 'utf8' }), /PostgreSQL\) 18/);
});

test('an installed package that cannot be used as it is is copied, once, with modes of its own', async (t) => {
  const packageFolder = copyPackageWithoutLinks(t);
  // The user of root's server cannot enter it; an ordinary user cannot make the links.
  const closed = isRoot ? packageFolder : join(packageFolder, 'native', 'lib');
  chmodSync(closed, isRoot ? 0o700 : 0o555);
  const copiesFolder = join(newRoom(t), 'copies');
  const user = await findServerUser(copiesFolder);
  const umask = process.umask(0o077);
  atEnd(t, () => process.umask(umask));
  const make = () => ensureBinaries({ packageFolder, copiesFolder, user });
  const [first, second] = await Promise.all([make(), make()]);
  assert.deepEqual(first, second);
  assert.match(first.postgres, /copies\/binaries-18\..*\/native\/bin\/postgres$/);
  const outcome = await run(user, first.postgres, ['--version'], { timeoutMs: 10_000 });
  assert.match(outcome.output, /PostgreSQL\) 18/);
  assert.equal(readdirSync(copiesFolder).length, 1);
  chmodSync(closed, 0o755);
  assert.equal(
    statSync(join(first.postgres, '../../share/postgresql/postgres.bki')).mode & 0o777,
    0o644,
  );
});

// ---- Root ------------------------------------------------------------------------------------

test('as root the server and its files belong to an unprivileged user', rootOnly, async (t) => {
  const dataDir = useTemplate(t);
  const embedded = await start(t, dataDir);
  const status = readFileSync(`/proc/${postmasterPid(dataDir)}/status`, 'utf8');
  const { uid } = statSync(join(dataDir, 'postgres'));
  assert.notEqual(uid, 0);
  assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'));
  assert.match(status, /^Groups:\s*$/m);
  assert.equal(statSync(join(dataDir, 'run')).uid, uid);
  assert.equal(statSync(dataDir).uid, 0);
  await embedded.release();
});

test('as root a cluster that is there already is served as its owner', rootOnly, async (t) => {
  const dataDir = copyTemplate(t);
  // Another existing user than the one that root would take.
  const owner = execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }).trim();
  const folders = [join(dataDir, 'postgres'), join(dataDir, 'run')];
  execFileSync('chown', ['-R', `${owner}:${owner}`, ...folders]);
  const embedded = await start(t, dataDir);
  const status = readFileSync(`/proc/${postmasterPid(dataDir)}/status`, 'utf8');
  assert.match(status, new RegExp(`^Uid:\\t${owner}\\t`, 'm'));
  await embedded.release();
});

test(
  'a default folder that root has left to an ordinary user is told in one line',
  rootOnly,
  async (t) => {
    const room = newRoom(t);
    mkdirSync(join(room, '.offplan'), { mode: 0o711 });
    writeFileSync(join(room, '.offplan', 'id'), 'x', { mode: 0o600 });
    const script = `
    const { startEmbedded } = await import(${JSON.stringify(startFile)});
    await startEmbedded({ dataDir: ${JSON.stringify(join(room, '.offplan'))}, dataDirIsDefault: true }).catch((error) => console.log(String(error)));`;
    const uid = Number(execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }));
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      uid,
      encoding: 'utf8',
    });
    assert.match(
      output,
      /^EmbeddedPostgresError: User "daemon" cannot write in .*: run as its owner/,
    );
  },
);

test('an ordinary user and root use one server in turn and at once', rootOnly, async (t) => {
  const dataDir = copyTemplate(t);
  const uid = Number(execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }));
  execFileSync('chown', ['-R', `${uid}:${uid}`, dataDir]);
  const user = await hold(t, dataDir, { uid });
  const root = await hold(t, dataDir);
  assert.equal(root.server, user.server);
  await user.release();
  await root.release();
  const again = await hold(t, dataDir, { uid });
  await again.release();
});

test(
  'a named folder that the server’s user cannot enter is told in one line',
  rootOnly,
  async (t) => {
    const room = newRoom(t);
    chmodSync(room, 0o700);
    await assert.rejects(start(t, join(room, 'data')), (error: Error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.ok(error.message.includes(`cannot enter ${room}: name a folder`), error.message);
      return true;
    });
    assert.deepEqual(readdirSync(room), [], 'and nothing was made');
  },
);

test(
  'a default folder that the server’s user cannot enter gets a stable one of its own elsewhere',
  rootOnly,
  async (t) => {
    const room = newRoom(t);
    const systemFolder = join(room, 'system');
    const place = async (checkout: string) => {
      const notes: string[] = [];
      const dataDir = join(room, checkout, '.offplan');
      const chosen = await choosePlace({
        dataDir,
        dataDirIsDefault: true,
        systemFolder,
        note: (text) => notes.push(text),
      });
      return { ...chosen, notes };
    };
    for (const name of ['one', 'two']) mkdirSync(join(room, name), { mode: 0o700 });
    const [one, same, two] = await Promise.all([place('one'), place('one'), place('two')]);
    assert.match(one.dataDir, /\/system\/one-[\da-f]{12}$/);
    assert.equal(same.dataDir, one.dataDir);
    assert.notEqual(two.dataDir, one.dataDir);
    assert.match(
      one.notes.join('\n'),
      /has its data in .*one-.* \(its user ".*" cannot enter .*one\)\.$/,
    );
    // Once there is data it is found again even when the way is opened …
    mkdirSync(join(one.dataDir, 'postgres'));
    chmodSync(join(room, 'one'), 0o755);
    assert.equal((await place('one')).dataDir, one.dataDir);
    // … and a fresh checkout in the same place does not find it.
    rmSync(join(room, 'one'), { recursive: true });
    mkdirSync(join(room, 'one'), { mode: 0o700 });
    assert.notEqual((await place('one')).dataDir, one.dataDir);
  },
);

test(
  'data in the default folder is never left behind for an empty database elsewhere',
  rootOnly,
  async (t) => {
    const room = newRoom(t);
    const dataDir = join(room, '.offplan');
    makeFakeCluster(dataDir, '18');
    chmodSync(room, 0o700);
    const options = { dataDir, dataDirIsDefault: true, systemFolder: join(room, 'system') };
    await assert.rejects(choosePlace({ ...options, note: () => {} }), /cannot enter/);
  },
);

// ---- Helpers ---------------------------------------------------------------------------------

/** What a test has to undo, last thing first: a user of a server would start it again. */
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

/** Starts, or joins, the server in this very process. */
async function start(t: TestContext, dataDir: string, notes: string[] = []) {
  const embedded = await startEmbedded({
    dataDir,
    dataDirIsDefault: false,
    note: (text) => notes.push(text),
  });
  atEnd(t, () => embedded.release());
  return embedded;
}

/** A folder that the server's user can enter. */
function makeRoom(): string {
  const room = realpathSync(mkdtempSync(join(tmpdir(), 'offplan-embedded-')));
  chmodSync(room, 0o755);
  return room;
}

function newRoom(t: TestContext): string {
  const room = makeRoom();
  atEnd(t, async () => {
    await stopServersIn(room);
    rmSync(room, { recursive: true, force: true, maxRetries: 5 });
  });
  return room;
}

/** The data folder that tests use one after the other, without a server. */
function useTemplate(t: TestContext): string {
  atEnd(t, () => stopServersIn(template.folder));
  return template.dataDir;
}

/** A data folder with a ready cluster of the test's own. */
function copyTemplate(t: TestContext): string {
  const dataDir = join(newRoom(t), 'data');
  copyFolder(template.dataDir, dataDir);
  return dataDir;
}

/** As `cp -a` does it, but several times as fast for a cluster's thousand small files. */
function copyFolder(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from);
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isFile()) {
      const status = statSync(source);
      writeFileSync(target, readFileSync(source), { mode: status.mode });
      if (isRoot) chownSync(target, status.uid, status.gid);
    }
  }
  chmodSync(to, mode);
  if (isRoot) chownSync(to, uid, gid);
}

/** Ends the server of a test that went wrong, which is in a folder that only that test knows. */
async function stopServersIn(room: string): Promise<void> {
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('postmaster.pid'))) {
    const pid = Number.parseInt(readFileSync(join(room, file), 'utf8'), 10);
    const command = execFileSync('ps', ['-o', 'command=', '-p', `${pid},1`], { encoding: 'utf8' });
    if (!command.includes(room)) continue;
    process.kill(pid, 'SIGQUIT');
    await eventually(async () => assert.equal(isAlive(pid), false));
  }
}

async function query(connection: pg.ClientConfig, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    void client.end().catch(() => {});
  }
}

/** The backends that hold the lock of a user. */
async function presences(connection: pg.ClientConfig): Promise<unknown[]> {
  const text = `select pid from pg_locks where locktype = 'advisory' and granted`;
  return (await query(connection, text)).map(({ pid }) => pid as unknown);
}

async function countPresences(connection: pg.ClientConfig): Promise<number> {
  return (await presences(connection)).length;
}

interface Holder {
  child: ChildProcess;
  dataDir: string;
  connection: Connection;
  /** Names the server: its start time and the cluster's own number. */
  server: string;
  /** Lets go without ending. */
  releaseAndStay(): Promise<void>;
  release(): Promise<void>;
  kill(): Promise<void>;
}

const holderScript = `
  process.umask(Number(process.argv[2]));
  const { startEmbedded } = await import(${JSON.stringify(startFile)});
  const held = await startEmbedded({ dataDir: process.argv[1], dataDirIsDefault: false });
  console.log(JSON.stringify(held.connection));
  process.stdin.on('data', () => held.release().then(() => console.log('released')));
  process.stdin.on('end', () => held.release());
`;

function startHolder(
  t: TestContext,
  dataDir: string,
  options: { umask?: number; uid?: number } = {},
) {
  const { uid, umask = 0o022 } = options;
  const args = ['--input-type=module', '-e', holderScript, dataDir, String(umask)];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  atEnd(t, () => child.kill('SIGKILL'));
  return { child, lines: createInterface({ input: child.stdout }) };
}

/** Starts a process that uses the server until told to let go. */
async function hold(
  t: TestContext,
  dataDir: string,
  options: { umask?: number; uid?: number } = {},
): Promise<Holder> {
  const { child, lines } = startHolder(t, dataDir, options);
  const exit = once(child, 'exit');
  const line = await Promise.race([once(lines, 'line'), exit.then(() => null)]);
  assert.ok(line !== null, 'the holder ended before it had a server');
  const connection: Connection = JSON.parse(String(line[0]));
  const text = `select pg_postmaster_start_time()::text || system_identifier as server from pg_control_system()`;
  const server = String((await query(connection, text))[0]?.['server']);
  const releaseAndStay = async () => {
    child.stdin.write('release');
    await once(lines, 'line');
  };
  const release = async () => {
    child.stdin.end();
    assert.deepEqual(await exit, [0, null]);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { child, dataDir, connection, server, releaseAndStay, release, kill };
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Whether a server is there. One that was killed leaves its pid file. */
function isServed(dataDir: string): boolean {
  const path = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(path) && isAlive(postmasterPid(dataDir));
}

/** Whether a process lives; a zombie does not. */
function isAlive(pid: number): boolean {
  return /^[^Z]/.test(processState(pid));
}

function processState(pid: number): string {
  return ps('state=', pid);
}

function processGroup(pid: number): number[] {
  return ps('pgid=,sess=', pid).split(/\s+/).map(Number);
}

function ps(columns: string, pid: number): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

function deadPid(): number {
  return Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}

/** Spawn options of the cluster's owner: PostgreSQL heeds only processes of its own user. */
async function asOwner(dataDir: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  return { uid, gid };
}

function giveToOwner(path: string, dataDir: string): void {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  chownSync(path, uid, gid);
}

/** Just enough to pass for a cluster at first sight, where it never comes to a second. */
function makeFakeCluster(dataDir: string, version: string): string {
  const cluster = join(dataDir, 'postgres');
  mkdirSync(join(cluster, 'global'), { recursive: true });
  writeFileSync(join(cluster, 'PG_VERSION'), `${version}\n`);
  writeFileSync(join(cluster, 'pg_ident.conf'), 'offplan root offplan\n');
  writeFileSync(join(cluster, 'global', 'pg_control'), '');
  const { uid, gid } = statSync(join(template.dataDir, 'postgres'));
  chownSync(cluster, uid, gid);
  return dataDir;
}

/** A server starts, within seconds, although the lock files of a dead one name this process. */
async function startsDespite(t: TestContext, dataDir: string, pid: number): Promise<void> {
  const rest = `${join(dataDir, 'postgres')}\n1700000000\n5432\n/tmp\n\n  1 2\nready   \n`;
  mkdirSync(join(dataDir, 'run'), { recursive: true });
  for (const name of ['postgres/postmaster.pid', 'run/.s.PGSQL.5432.lock']) {
    writeFileSync(join(dataDir, name), `${pid}\n${rest}`);
    giveToOwner(join(dataDir, name), dataDir);
  }
  const startedMs = Date.now();
  const holder = await hold(t, dataDir);
  assert.ok(Date.now() - startedMs < 5_000);
  assert.notEqual(postmasterPid(dataDir), pid);
  await holder.release();
}

function copyPackageWithoutLinks(t: TestContext): string {
  const packageFolder = join(newRoom(t), 'package');
  copyFolder(findPackage(), packageFolder);
  return packageFolder;
}

/** Asserts again and again until it holds, for at most ten seconds. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const endMs = Date.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
    await sleep(50);
  }
}
