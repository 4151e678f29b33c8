import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { DataFolder } from './data-folder.ts';
import { findReason } from './error.ts';
import { OWN_USER, runAs, spawnOptions } from './user.ts';

/** All that is needed to start and reach a server. */
export type Server = DataFolder & Binaries;

/** A server that this process has launched. It may have ended. */
export interface LaunchedServer {
  child: ChildProcess;
  /** The size of the log before the launch. */
  logBytes: number;
  /** The errors of the shell, which ends when it cannot open the log or the lock. */
  shellErrors: string;
}

const LOG_MAX_BYTES = 10 * 1024 * 1024;
const STOP_PAUSE_MS = 10;

/** Starts a server without waiting until it answers. Returns undefined when one runs already. */
export async function launchServer(server: Server): Promise<LaunchedServer | undefined> {
  const { cluster, socketFolder, user, bin } = server;
  const pid = await readServerPid(cluster);
  if (await isServing(pid, cluster)) return undefined;
  const log = logOf(server);
  const logBytes = (await stat(log).catch(() => null))?.size ?? 0;
  const isFull = logBytes > LOG_MAX_BYTES;
  if (isFull) await rename(log, `${log}.old`);
  // The shell runs as the user for PostgreSQL and opens the log itself. Through a pipe, the server would end with this process;
  // and root must not follow a link that this user has made. PG_GRANDPARENT_PID: another process may now have the pid of a dead
  // server; PostgreSQL replaces a lock file with this pid. `flock`: only one server may start at a time, because two that find a
  // stale lock file could each remove the new lock file of the other. The server and its children inherit this lock, and the last
  // of them releases it.
  const script = `umask 077; log=$1; export PG_GRANDPARENT_PID=$2; exec 9>"$3"; shift 3
    if command -v flock >/dev/null; then flock -n 9 || exit 0; fi
    exec "$@" >>"$log" 2>&1`;
  const folders = `unix_socket_directories="${socketFolder.replaceAll('"', '""')}"`;
  const postgres = [join(bin, 'postgres'), '-D', cluster, '-c', folders];
  const lock = join(cluster, 'offplan.lock');
  const child = spawn('/bin/sh', ['-c', script, 'sh', log, String(pid), lock, ...postgres], {
    ...spawnOptions(user),
    // Ctrl-C in a terminal does not reach another session.
    detached: true,
    // PostgreSQL writes its own stderr to the log.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.on('error', () => undefined).unref();
  const launched = { child, logBytes: isFull ? 0 : logBytes, shellErrors: '' };
  child.stderr.on('data', (chunk: Buffer) => (launched.shellErrors += chunk.toString()));
  return launched;
}

/** Reads why a launched server has ended: from the errors of the shell, or from what the log says since the launch. */
export async function readFailure(
  server: Server,
  { logBytes, shellErrors }: LaunchedServer,
): Promise<string> {
  if (shellErrors !== '') return findReason(shellErrors);
  const log = await readFile(logOf(server)).catch(() => Buffer.alloc(0));
  return `${findReason(log.subarray(logBytes).toString())} (log: ${logOf(server)})`;
}

const logOf = ({ cluster }: Server): string => join(cluster, 'server.log');

/** Stops the server and waits until its process is gone. */
export async function stopServer({ cluster }: Server): Promise<void> {
  const pid = await readServerPid(cluster);
  if (!(await isServing(pid, cluster))) return;
  // At this signal PostgreSQL disconnects all clients, writes everything and ends.
  process.kill(pid, 'SIGINT');
  while (await isServing(pid, cluster)) await sleep(STOP_PAUSE_MS);
}

/** Reads the pid of the server, which may be dead, from the first line of its lock file. Returns 0 when there is none. */
async function readServerPid(cluster: string): Promise<number> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || 0;
}

/**
 * Whether a process is the server of this cluster: the working folder of a server is its data directory, even after it was moved.
 */
async function isServing(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { output } = await runAs(OWN_USER, 'ps -o command= -p "$1"', String(pid));
    return output.includes(`postgres -D ${cluster}`);
  }
  const [own, its] = [await stat(cluster), await stat(`/proc/${pid}/cwd`).catch(() => null)];
  return its?.dev === own.dev && its.ino === own.ino;
}
