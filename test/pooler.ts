import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Cleaner } from './harness.ts';
import { freePort, untilListening } from './ports.ts';

const PROGRAM = process.env['PGBOUNCER_PATH'] ?? 'pgbouncer';

/** The reason to skip a test that needs PgBouncer; false when there is one, and in CI, which must have one. */
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

/** Starts PgBouncer in front of a database, with these settings. Returns the DATABASE_URL through it. */
export async function startPooler(
  t: Cleaner,
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<string> {
  const { pathname, searchParams } = new URL(databaseUrl);
  const [host, user] = [searchParams.get('host'), searchParams.get('user')];
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'offplan-pooler-'));
  chmodSync(folder, 0o755);
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    auth_type: 'any',
    unix_socket_dir: '',
    // PgBouncer refuses to run as root. The user of PostgreSQL may enter the folder of its socket.
    ...(userInfo().uid === 0 && { user: findOwner(String(host)) }),
    ...settings,
  };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  const target = `${pathname.slice(1)} = host=${host} user=${user}`;
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
