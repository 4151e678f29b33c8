import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Pool } from '../../src/platform/database/index.ts';
import { databaseUrl, type Cleaner } from './harness.ts';
import { freePort, untilListening } from './ports.ts';
import { offplan } from './process.ts';
import { run } from './sql.ts';
import { until } from './until.ts';

const PROGRAM = process.env['PGBOUNCER_PATH'] ?? 'pgbouncer';

/** The reason to skip a test that needs PgBouncer. False when PgBouncer is installed, and always in CI, where it must be. */
export const withoutPooler: string | false =
  spawnSync(PROGRAM, ['--version']).error !== undefined && process.env['CI'] === undefined
    ? 'pgbouncer is not on the PATH'
    : false;

/** The reason to skip a test of the transaction mode: prepared statements need PgBouncer 1.21 or later. */
export const withoutTransactionMode: string | false =
  withoutPooler === false && readVersion() < 121
    ? 'PgBouncer is older than 1.21; PGBOUNCER_PATH can name another one'
    : withoutPooler;

function readVersion(): number {
  const { stdout } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) * 100 + Number(minor);
}

/** The parameters that PgBouncer must not refuse. It does not pass them on. */
export const IGNORED = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options';

/** Few connections, which all transactions share. */
export const TRANSACTION_MODE = {
  pool_mode: 'transaction',
  default_pool_size: '3',
  max_prepared_statements: '200',
};

/** Starts a pooler in front of a database, for a role of its own: the settings of a role hold in all databases. */
export async function poolRole(t: Cleaner, db: Pool, settings: Record<string, string>) {
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
  await run(db, `create role ${role} superuser login`);
  const direct = new URL(await databaseUrl(db));
  if (direct.searchParams.has('user')) direct.searchParams.set('user', role);
  else direct.username = role;
  const url = await startPooler(t, direct.href, {
    ignore_startup_parameters: IGNORED,
    ...settings,
  });
  const environment = { DATABASE_URL: url, LOG_LEVEL: 'silent' };

  /** Runs the SQL that role-settings prints, and makes the pooler connect again. */
  async function applyRoleSettings(): Promise<void> {
    const { stdout } = await offplan(['role-settings'], environment);
    assert.match(stdout, new RegExp(`^alter role "${role}" set statement_timeout = '30000ms';\n`));
    for (const line of stdout.split('\n').filter((text) => text !== '')) await run(db, line);
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`;
    await until(async () => (await run(db, end)).rows.length === 0);
  }
  const dropRole = async () => void (await run(db, `drop role ${role}`));
  return { environment, applyRoleSettings, dropRole };
}

/** Starts PgBouncer in front of a database, with these settings. Returns the DATABASE_URL through it. */
export async function startPooler(
  t: Cleaner,
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<string> {
  const { hostname, port: ownPort, username, pathname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname;
  const user = searchParams.get('user') ?? username;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'offplan-pooler-'));
  chmodSync(folder, 0o755);
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    auth_type: 'any',
    unix_socket_dir: '',
    // PgBouncer refuses to run as root. The user of PostgreSQL may enter the folder of its socket.
    ...(userInfo().uid === 0 && { user: host.startsWith('/') ? findOwner(host) : 'nobody' }),
    ...settings,
  };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  const target = `${pathname.slice(1)} = host=${host} port=${ownPort || '5432'} user=${user}`;
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'));
  const child = spawn(PROGRAM, [file], { stdio: process.env['POOLER_LOG'] ? 'inherit' : 'ignore' });
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  await untilListening(port);
  return `postgresql://${user}@127.0.0.1:${port}${pathname}`;
}

function findOwner(path: string): string {
  return spawnSync('stat', ['--format=%U', path], { encoding: 'utf8' }).stdout.trim();
}
