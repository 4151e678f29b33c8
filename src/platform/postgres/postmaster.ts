import { spawn } from 'node:child_process';
import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnOptions } from './command.ts';
import { EmbeddedPostgresError, errorCode } from './error.ts';
import { replaceFile } from './folder.ts';
import { findPostmaster, isRunning } from './locks.ts';
import type { Server } from './server.ts';
import { pgIdentConf, quoteFolder } from './settings.ts';

const logBytesMax = 10 * 1024 * 1024;
const stopTimeoutMs = 60_000;
const stopPauseMs = 10;

/** A server that we have set going; it may still fail. */
export interface Launch {
  hasEnded: boolean;
  pid: number | undefined;
  /** Where in the log its own lines begin. */
  logOffset: number;
}

/** Sets a server going, without waiting until it answers. */
export async function launch(server: Server): Promise<Launch> {
  const { cluster, socketFolder, user, binaries } = server;
  await ensureMap(server);
  const log = logOf(cluster);
  const logOffset = await rotate(log);
  // The shell opens the log as the server's user: a pipe would tie the server to our life, and root
  // must not follow what that user may have put there. A session of its own keeps Ctrl-C away.
  const script = 'umask 077; log=$1; shift; exec "$@" >>"$log" 2>&1';
  const folders = `unix_socket_directories=${quoteFolder(socketFolder)}`;
  const postgres = [binaries.postgres, '-D', cluster, '-c', folders];
  const child = spawn('/bin/sh', ['-c', script, 'sh', log, ...postgres], {
    ...spawnOptions(user),
    detached: true,
    stdio: 'ignore',
  });
  const launched: Launch = { hasEnded: false, pid: child.pid, logOffset };
  child.on('error', () => (launched.hasEnded = true));
  child.on('exit', () => (launched.hasEnded = true));
  child.unref();
  return launched;
}

/** Stops a server that we have set going and that nobody can use. */
export function endLaunch(launched: Launch): void {
  if (launched.pid !== undefined) signal(launched.pid);
}

/**
 * Stops the server in order and waits until its process is gone. Not with `pg_ctl stop -w`: that waits
 * for the pid file to go, and waits on when someone has started the next server a moment later.
 */
export async function stop(server: Server): Promise<void> {
  const pid = await findPostmaster(server);
  if (pid === null) return;
  signal(pid);
  const endMs = Date.now() + stopTimeoutMs;
  while (await isRunning(pid, server)) {
    if (Date.now() > endMs)
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${pid}) does not stop; see ${logOf(server.cluster)}.`,
      );
    await sleep(stopPauseMs);
  }
}

/** SIGINT asks for a fast shutdown: whoever is connected is sent away, and everything is written. */
function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Why a launch came to nothing, as the log tells it. */
export async function readFailure(server: Server, launched: Launch): Promise<string> {
  const log = logOf(server.cluster);
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(launched.logOffset).toString('utf8').trim().split('\n');
  return `${findReason(lines, launched.pid)} (log: ${log})`;
}

/**
 * The line of the log that says why a server did not start, without its time. The log is shared with
 * other servers that were tried at the same time, and those tell their clients with FATAL to wait.
 */
export function findReason(lines: string[], pid: number | undefined): string {
  const isFatal = (line: string) =>
    /FATAL|PANIC/.test(line) && !/the database system is|terminating connection/.test(line);
  const line =
    lines.findLast((text) => text.includes(`[${pid}]`) && isFatal(text)) ??
    lines.findLast(isFatal) ??
    lines.at(-1) ??
    '';
  return line.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, '').trim() || 'it left no message';
}

function logOf(cluster: string): string {
  return join(cluster, 'server.log');
}

/** Keeps one old log. Gives the size of the current one. */
async function rotate(log: string): Promise<number> {
  const size = (await stat(log).catch(() => undefined))?.size ?? 0;
  if (size <= logBytesMax) return size;
  await rename(log, `${log}.old`);
  return 0;
}

/** A restored or handed-over folder may have another owner than the one that the map was made for. */
async function ensureMap({ cluster, user }: Server): Promise<void> {
  const path = join(cluster, 'pg_ident.conf');
  const text = pgIdentConf(user.name);
  if ((await readFile(path, 'utf8')) !== text) await replaceFile(path, text, user);
}
