import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';

const COMMAND_TIMEOUT_MS = 180_000;

/** The user of the operating system that owns the files of PostgreSQL and runs it. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
  /** Whether this process is root and has to become that user: PostgreSQL refuses to run as root. */
  isSwitched: boolean;
}

/** The user of this process. */
export const OWN_USER: ServerUser = {
  name: `id ${process.geteuid?.()}`,
  uid: process.geteuid?.() ?? -1,
  gid: process.getegid?.() ?? -1,
  isSwitched: false,
};

/** Finds the user for PostgreSQL: this process's own, but for root the owner of the files, `postgres` or `nobody`. */
export async function findServerUser(dataDir: string): Promise<ServerUser> {
  if (OWN_USER.uid !== 0) return OWN_USER;
  for (const path of [join(dataDir, 'postgres'), dataDir]) {
    const { uid, gid } = await lstat(path).catch(() => OWN_USER);
    if (uid !== 0) return { name: `id ${uid}`, uid, gid, isSwitched: true };
  }
  for (const name of ['postgres', 'nobody']) {
    const { output } = await runAs(OWN_USER, 'id', [name]);
    const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(output) ?? [];
    if (uid !== undefined) return { name, uid: Number(uid), gid: Number(gid), isSwitched: true };
  }
  throw new EmbeddedPostgresError(
    'The embedded PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody": run as an ordinary user, or set DATABASE_URL.',
  );
}

/** Runs a command as a user until it ends. */
export function runAs(user: ServerUser, file: string, args: string[]) {
  const options = { ...spawnOptions(user), timeout: COMMAND_TIMEOUT_MS };
  return new Promise<{ isSuccess: boolean; output: string }>((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ isSuccess: error === null, output: stdout + stderr || (error?.message ?? '') });
    });
  });
}

/**
 * Options to spawn a process as that user, in a folder that it can enter, and with an environment in which no variable
 * (PGPORT, PGDATA, LC_ALL …) changes what PostgreSQL does. Node empties the supplementary groups when it sets a uid.
 */
export function spawnOptions(user: ServerUser) {
  const { PATH = '/usr/bin:/bin', LD_LIBRARY_PATH } = process.env;
  return {
    cwd: '/',
    env: { PATH, LC_ALL: 'C', TZ: 'UTC', ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) },
    ...(user.isSwitched && { uid: user.uid, gid: user.gid }),
  };
}
