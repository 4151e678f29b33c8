import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbedded, type EmbeddedPostgres } from '../src/platform/postgres/index.ts';
import { migrate, openPool } from '../src/platform/database/index.ts';
import { prepareTemplate, setNodes } from './support/databases.ts';
import { buildPackage } from './support/package.ts';

const BUILD_CONSOLE = fileURLToPath(new URL('../scripts/console/build.ts', import.meta.url));

let folder: string;
let server: EmbeddedPostgres | undefined;
let removeTemplate: (() => Promise<void>) | undefined;

/** The migrated database on the shared embedded PostgreSQL that the databases of tests are cloned from. */
const TEMPLATE = 'offplan_template';

/**
 * Builds the console when its files have changed, and the package, whose command tests run. Makes a data folder with a migrated
 * database, from which `dataFolder` copies, and starts a PostgreSQL for all test files on another copy, unless TEST_DATABASE_URL
 * names one. Test files find all of these through the environment.
 */
export async function globalSetup(): Promise<void> {
  execFileSync(process.execPath, [BUILD_CONSOLE], { stdio: 'inherit' });
  folder = makeFolder();
  await chmod(folder, 0o755);
  process.env['TEST_PROGRAM'] = buildPackage(join(folder, 'package'));
  const prepared = join(folder, 'prepared');
  await prepare(prepared);
  // Node keeps the compiled modules here: each test file and each service that it starts loads the same ones.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  process.env['TEST_DATA_FOLDER'] = prepared;
  process.env['TEST_TAKEN_FILES'] = join(folder, 'taken-files');
  mkdirSync(process.env['TEST_TAKEN_FILES']);
  const databaseUrl = process.env['TEST_DATABASE_URL'];
  if (databaseUrl === undefined) await startShared(prepared);
  else removeTemplate = await prepareTemplate(databaseUrl);
}

/** The file system in memory. Only Linux has it. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Makes the folder for the package, the shared PostgreSQL and the data folders of tests. It is in memory, unless there is too
 * little room or TMPDIR names another place. On a disk, creating and dropping a database takes more than twice the processor
 * time.
 */
function makeFolder(): string {
  const isInMemory = process.env['TMPDIR'] === undefined && hasRoomInMemory();
  if (isInMemory) removeAbandoned();
  return mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), `offplan-test-${process.pid}-`));
}

/** Removes the folders of test runs that were killed. Otherwise they would take memory until a restart of the machine. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^offplan-test-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY) || freemem() < 2 * ROOM_BYTES) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

async function startShared(prepared: string): Promise<void> {
  const shared = join(folder, 'shared');
  execFileSync('cp', ['-a', prepared, shared]);
  server = await startEmbedded({ dataDir: shared, isDefaultDataDir: false });
  setNodes([`postgresql:///postgres?host=${server.connection.host}&user=offplan`], TEMPLATE);
  const admin = new pg.Client({ ...server.connection, database: 'postgres' });
  await admin.connect();
  // This server need not survive a crash. When it does not wait for the disk, it creates and drops databases in a fraction of the
  // time. Tests of crashes start servers of their own. The databases of tests do not live long enough to need a vacuum.
  // `synchronous_commit` stays on: VACUUM does not mark a page as visible to all until its commit is flushed, and that changes
  // plans.
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum'])
    await admin.query(`alter system set ${setting} = off`);
  // Let the kernel copy the files of a template. This takes a third of the time.
  await admin.query('alter system set file_copy_method = clone');
  await admin.query('select pg_reload_conf()');
  await admin.query(`alter database offplan rename to ${TEMPLATE}`);
  await admin.end();
  // The first connection to a database caches its catalog in a file. The template has this file from here, and so do its copies.
  const template = new pg.Client({ ...server.connection, database: TEMPLATE });
  await template.connect();
  await template.end();
}

async function prepare(dataDir: string): Promise<void> {
  const { connection, release } = await startEmbedded({ dataDir, isDefaultDataDir: false });
  const pool = openPool(connection, () => undefined);
  await migrate(pool);
  await pool.end();
  await release();
}

export async function globalTeardown(): Promise<void> {
  await removeTemplate?.();
  await server?.release();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
