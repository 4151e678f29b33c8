import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.ts';
import { errorCode } from './error.ts';
import type { Server } from './server.ts';
import { port } from './socket.ts';

/** An empty lock file is one that is being written, unless it is older than this. */
const writingMs = 5_000;

/** The process that serves the cluster now, if postmaster.pid names a living one. */
export async function findPostmaster(server: Server): Promise<number | null> {
  const pid = parsePid(await readLockFile(pidFileOf(server)));
  return pid !== null && (await isPostmaster(pid, server)) ? pid : null;
}

/**
 * Takes away the lock files (postmaster.pid, and the socket's) that would keep PostgreSQL from
 * starting although nobody serves the cluster: their pid was given to a stranger, belongs to a
 * zombie, or was never written. True when a server may be started.
 */
export async function clearStaleLocks(server: Server): Promise<boolean> {
  const socketLock = join(server.socketFolder, `.s.PGSQL.${port}.lock`);
  return (
    (await clearStaleLock(pidFileOf(server), server)) && (await clearStaleLock(socketLock, server))
  );
}

/** A file that names no process at all is left to PostgreSQL, which sees through it and checks more. */
async function clearStaleLock(path: string, server: Server): Promise<boolean> {
  const text = await readLockFile(path);
  if (text === null) return true;
  const pid = parsePid(text);
  if (pid === null ? await isBeingWritten(path) : await isPostmaster(pid, server)) return false;
  if (pid === null || isListed(pid)) await removeLockFile(path, text);
  return true;
}

/** The pid in the first line; a server in single-user mode writes it as a negative number. */
export function parsePid(text: string | null): number | null {
  const pid = Math.abs(Number.parseInt(text ?? '', 10));
  return pid > 0 ? pid : null;
}

/** Removes the file only if it still is the one that was judged: another server may have come. */
export async function removeLockFile(path: string, judged: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== judged) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

function pidFileOf(server: Server): string {
  return join(server.cluster, 'postmaster.pid');
}

async function readLockFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function isBeingWritten(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status !== undefined && Date.now() - status.mtimeMs < writingMs;
}

/** Whether the kernel has a process of this number, be it a zombie. */
function isListed(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Whether a process is a living server of this very cluster. */
async function isPostmaster(pid: number, server: Server): Promise<boolean> {
  if (!(await isRunning(pid, server))) return false;
  // A server works inside its data directory, also when that has been moved since it started.
  const [own, its] = await Promise.all([
    stat(server.cluster),
    stat(`/proc/${pid}/cwd`).catch(() => undefined),
  ]);
  if (its !== undefined) return its.dev === own.dev && its.ino === own.ino;
  return (await ps('command=', pid, server)).includes(`postgres -D ${server.cluster}`);
}

/** Whether a process is any PostgreSQL, and no zombie; it is until the kernel has done with it. */
export async function isRunning(pid: number, server: Server): Promise<boolean> {
  if (!isListed(pid)) return false;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  if (status !== null) return /^Name:\s+postgres$/m.test(status) && !/^State:\s+[ZX]/m.test(status);
  return /^[^Z].*\bpostgres$/.test(await ps('state=,comm=', pid, server));
}

async function ps(columns: string, pid: number, server: Server): Promise<string> {
  const args = ['-o', columns, '-p', String(pid)];
  return (await run(server.user, 'ps', args, { timeoutMs: 10_000 })).stdout.trim();
}
