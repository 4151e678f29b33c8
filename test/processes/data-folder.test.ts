import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accountFile } from '../support/accounts.ts';
import { isCitus } from '../support/databases.ts';
import { mountDisk } from '../support/disks.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { BIN, dataFolder, offplan, postgresPids, serving } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

/** Runs a command on a data folder on which PostgreSQL cannot work, and returns its one line. */
async function refusal(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await offplan(['accounts', 'list'], {
    OFFPLAN_DATA_DIR: dataDir,
  });
  assert.deepEqual([code, stdout], [1, ''], stderr);
  assert.match(stderr, /^offplan: [^\n]+\n$/);
  return stderr;
}

/** Whether a process runs PostgreSQL on this data folder. */
function isServed(dataDir: string): boolean {
  const commands = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' });
  return commands.includes(`postgres -D ${join(dataDir, 'postgres')} `);
}

const FULL = /: The disk of \S+ is full: free some space there, or .* OFFPLAN_DATA_DIR\. \(/;

test('a command says that OFFPLAN_DATA_DIR names a file', async (t) => {
  const file = join(dataFolder(t), 'file');
  writeFileSync(file, '');
  assert.equal(
    await refusal(file),
    `offplan: OFFPLAN_DATA_DIR must name a folder; ${file} is a file.\n`,
  );
});

test('a command prints one line, with the disk and a remedy, when the disk is too small for the first start', async (t) => {
  const disk = mountDisk(t, '8m');
  if (disk === null) return t.skip('this machine lets no test mount a disk');
  assert.match(await refusal(join(disk, 'data')), FULL);
  assert.equal(existsSync(join(disk, 'data', 'postgres')), false);
});

test('a command prints one line, with the disk and a remedy, when the disk is full at a later start; nothing is lost', async (t) => {
  const disk = mountDisk(t, '200m');
  if (disk === null) return t.skip('this machine lets no test mount a disk');
  const dataDir = join(disk, 'data');
  execFileSync('cp', ['-a', String(process.env['TEST_DATA_FOLDER']), dataDir]);
  spawnSync('sh', ['-c', 'cat /dev/zero > film'], { cwd: disk });
  assert.match(await refusal(dataDir), FULL);
  rmSync(join(disk, 'film'));
  const { code } = await offplan(['accounts', 'list', '--json'], { OFFPLAN_DATA_DIR: dataDir });
  assert.equal(code, 0);
});

test('a line of level error says why the embedded PostgreSQL does not start again; the service recovers by itself', async (t) => {
  const dataDir = dataFolder(t);
  execFileSync('cp', ['-a', `${process.env['TEST_DATA_FOLDER']}/.`, dataDir]);
  const server = await serving({ OFFPLAN_DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  t.after(() => server.stop('SIGKILL'));
  const settings = join(dataDir, 'postgres/postgresql.conf');
  renameSync(settings, `${settings}.away`);
  const [postmaster = assert.fail()] = postgresPids(dataDir);
  process.kill(postmaster, 'SIGKILL');
  await until(() =>
    /"level":"error".*The embedded PostgreSQL.*postgresql\.conf/.test(server.logged()),
  );
  renameSync(`${settings}.away`, settings);
  await until(async () => (await fetch(`${server.url}/readyz`)).ok);
  await server.stop();
});

const REMOVE =
  /: remove what has the name of this file, or restore the data folder from a backup\.\n$/;
const FIX = /: fix the problem that this names, or restore the data folder from a backup\.\n$/;

for (const [what, damage, line, remedy] of [
  [
    'a folder as its log',
    'rm -f postgres/server.log; mkdir postgres/server.log',
    /server\.log/,
    REMOVE,
  ],
  [
    'a folder as its lock',
    'rm -f postgres/offplan.lock; mkdir postgres/offplan.lock',
    /offplan\.lock/,
    REMOVE,
  ],
  ['a folder as its pid file', 'mkdir postgres/postmaster.pid', /postmaster\.pid/, REMOVE],
  ['a file as the folder of its socket', 'rm -r run; echo x > run', /\/run'/, REMOVE],
  [
    'a damaged control file',
    'head -c 8192 /dev/zero > postgres/global/pg_control',
    /FATAL|PANIC/,
    FIX,
  ],
  ['no settings', 'rm postgres/postgresql.conf', /postgresql\.conf/, FIX],
  [
    'settings that the user of PostgreSQL cannot read',
    'chown 0 postgres/postgresql.conf; chmod 000 postgres/postgresql.conf',
    /contains errors: could not open configuration file .*Permission denied/,
    /own and write it\.\n$/,
  ],
  [
    'a damaged list of who may connect',
    'echo garbage > postgres/pg_hba.conf',
    /pg_hba\.conf: invalid connection type "garbage"/,
    FIX,
  ],
  [
    'a folder as PG_VERSION',
    'rm postgres/PG_VERSION; mkdir postgres/PG_VERSION',
    /PG_VERSION/,
    REMOVE,
  ],
  ['no databases', 'rm -r postgres/base', /does not exist/, FIX],
  [
    'a damaged PG_VERSION',
    'head -c 99 /dev/zero > postgres/PG_VERSION',
    /its version is none/,
    /restore it from a backup/,
  ],
] as const)
  test(`a command prints one line that says what to do for a data folder with ${what}`, async (t) => {
    const folder = dataFolder(t);
    execFileSync('sh', ['-c', damage], { cwd: folder });
    const text = await refusal(folder);
    await until(() => !isServed(folder));
    assert.match(text, line);
    assert.match(text, remedy);
  });

/** Runs a command as the owner of the files, an ordinary user also when the test runs as root. */
function runAsOwner(dataDir: string, args: string[]) {
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  const env = { ...process.env, OFFPLAN_DATA_DIR: dataDir, HOME: dataDir };
  const options = { env, encoding: 'utf8' as const, ...(process.getuid?.() === 0 && { uid, gid }) };
  return spawnSync(process.execPath, [BIN, ...args], options);
}

test('a command prints one line that names OFFPLAN_DATA_DIR when no folder can be made there, as below /proc', (t) => {
  if (!existsSync('/proc/self')) return t.skip('this system has no /proc');
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'accounts', 'list'], {
    env: { ...process.env, OFFPLAN_DATA_DIR: '/proc/offplan/data' },
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  assert.equal(
    stderr,
    "offplan: The embedded PostgreSQL in /proc/offplan/data cannot be used: ENOENT: no such file or directory, mkdir '/proc/offplan': name a folder that can be written in OFFPLAN_DATA_DIR.\n",
  );
  assert.equal(status, 1);
});

test('files that the user cannot read do not count as files of another version', async (t) => {
  const folder = dataFolder(t);
  const { uid, gid } = statSync(join(folder, 'postgres'));
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
  for (const path of [
    'postgres',
    'postgres/PG_VERSION',
    'postgres/global/pg_control',
    'postgres/offplan.lock',
  ]) {
    const file = join(folder, path);
    const { mode } = statSync(file);
    chmodSync(file, 0o000);
    const { status, stdout, stderr } = runAsOwner(folder, ['accounts', 'list']);
    chmodSync(file, mode);
    assert.deepEqual([status, stdout], [1, ''], path);
    assert.match(
      stderr,
      /^offplan: [^\n]*permission denied[^\n]*: let the user that runs PostgreSQL own and write it\.\n$/i,
    );
  }
  const { status, stderr } = runAsOwner(folder, ['accounts', 'list', '--json']);
  assert.equal(status, 0, stderr);
});

test(
  'a command prints one line when the disk of the PostgreSQL server is full',
  { skip: isCitus() && 'Citus allows no trigger' },
  async (t) => {
    const { db } = await build(t);
    await run(
      db,
      `create function fill() returns trigger language plpgsql as $$ begin
      raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
    end $$`,
    );
    await run(db, 'create trigger fill before insert on accounts execute function fill()');
    const file = JSON.stringify(accountFile('tui-ridge'));
    const { code, stderr } = await offplan(
      ['load', '-'],
      { DATABASE_URL: await databaseUrl(db) },
      file,
    );
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'offplan: the disk of the database is full: free some space there (could not extend file: No space left on device)\n',
    );
  },
);
