import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, findReason } from './error.ts';
import { OWN_USER, runAs, spawnOptions, type ServerUser } from './user.ts';

/** A cluster and all that is needed to start and reach its server. */
export interface Server {
  /** The real path of the data directory of PostgreSQL. */
  cluster: string;
  socketFolder: string;
  user: ServerUser;
  /** The folder with the programs of PostgreSQL. */
  bin: string;
}

const LOG_BYTES = 10 * 1024 * 1024;
const STOP_TIMEOUT_MS = 60_000;
const STOP_PAUSE_MS = 10;

/** Starts a server without waiting until it answers. */
export async function launchServer(server: Server): Promise<ChildProcess> {
  const { cluster, socketFolder, user, bin } = server;
  const log = logOf(server);
  const logBytes = (await stat(log).catch(() => null))?.size ?? 0;
  if (logBytes > LOG_BYTES) await rename(log, `${log}.old`);
  // The shell opens the log as the user for PostgreSQL: a pipe would end the server with this process, and root must not
  // follow a link that this user has made. A session of its own keeps Ctrl-C away.
  const script = 'umask 077; log=$1; shift; exec "$@" >>"$log" 2>&1';
  const folders = `unix_socket_directories="${socketFolder.replaceAll('"', '""')}"`;
  const postgres = [join(bin, 'postgres'), '-D', cluster, '-c', folders];
  const child = spawn('/bin/sh', ['-c', script, 'sh', log, ...postgres], {
    ...spawnOptions(user),
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined).unref();
  return child;
}

/** Reads from the log why a server has ended. */
export async function readFailure(server: Server): Promise<string> {
  const text = await readFile(logOf(server), 'utf8').catch(() => '');
  return `${findReason(text)} (log: ${logOf(server)})`;
}

const logOf = ({ cluster }: Server): string => join(cluster, 'server.log');

/** Stops the server and waits until its process is gone. */
export async function stopServer({ cluster }: Server): Promise<void> {
  const pid = parsePid(await readLockFile(join(cluster, 'postmaster.pid')));
  if (!(await isServing(pid, cluster))) return;
  // PostgreSQL disconnects all clients, writes everything and ends.
  process.kill(pid, 'SIGINT');
  const endMs = Date.now() + STOP_TIMEOUT_MS;
  while (await isServing(pid, cluster)) {
    if (Date.now() > endMs)
      throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) does not stop: see its log.`);
    await sleep(STOP_PAUSE_MS);
  }
}

/**
 * Removes lock files that a dead server has left: PostgreSQL does not start while another process has the pid in them.
 * Returns whether the cluster has no server.
 */
export async function removeStaleLocks({ cluster, socketFolder }: Server): Promise<boolean> {
  for (const path of [join(cluster, 'postmaster.pid'), join(socketFolder, '.s.PGSQL.5432.lock')]) {
    const text = await readLockFile(path);
    if (await isServing(parsePid(text), cluster)) return false;
    if (text !== null) await removeUnchanged(path, text);
  }
  return true;
}

/** Whether a process serves this cluster: a server works inside its data directory, even after that was moved. */
async function isServing(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { output } = await runAs(OWN_USER, 'ps', ['-o', 'command=', '-p', String(pid)]);
    return output.includes(`postgres -D ${cluster}`);
  }
  const [own, its] = [await stat(cluster), await stat(`/proc/${pid}/cwd`).catch(() => null)];
  return its?.dev === own.dev && its.ino === own.ino;
}

/** Removes a file if it still has this text: another server may have written a new one. */
async function removeUnchanged(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  const isUnchanged = (await readLockFile(aside)) === text;
  if (!isUnchanged) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

const readLockFile = (path: string) => readFile(path, 'utf8').catch(() => null);

/** Reads the pid from the first line. NaN when there is none. */
const parsePid = (text: string | null): number => Number.parseInt(text ?? '', 10);
