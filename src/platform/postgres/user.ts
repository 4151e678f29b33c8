import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';

/** The user of the operating system that owns the files of PostgreSQL and runs it. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/** The user of this process. */
export const OWN_USER: ServerUser = {
  name: `id ${process.geteuid?.()}`,
  uid: process.geteuid?.() ?? -1,
  gid: process.getegid?.() ?? -1,
};

/**
 * Finds the user that runs PostgreSQL. It is the user of this process, unless that is root, as whom PostgreSQL refuses to run.
 * Then it is the owner of the files. When root owns them, it is `postgres`, or `nobody` when there is no such user.
 */
export async function findServerUser(dataDir: string): Promise<ServerUser> {
  if (OWN_USER.uid !== 0) return OWN_USER;
  for (const path of [join(dataDir, 'postgres'), dataDir]) {
    const { uid, gid } = await lstat(path).catch(() => OWN_USER);
    if (uid !== 0) return { name: `id ${uid}`, uid, gid };
  }
  for (const name of ['postgres', 'nobody']) {
    const { output } = await runAs(OWN_USER, 'id "$1"', name);
    const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(output) ?? [];
    if (uid !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    'The embedded PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody": run as an ordinary user, or set DATABASE_URL.',
  );
}

/** Runs a shell script as a user until it ends. The script gets `args` as $1, $2 and so on. */
export function runAs(user: ServerUser, script: string, ...args: string[]) {
  return new Promise<{ isSuccess: boolean; output: string }>((resolve) => {
    const shellArgs = ['-c', script, 'sh', ...args];
    execFile('/bin/sh', shellArgs, spawnOptions(user), (error, stdout, stderr) => {
      resolve({ isSuccess: error === null, output: stdout + stderr || (error?.message ?? '') });
    });
  });
}

/**
 * Returns the options to spawn a process as a user, in a folder that the user can enter, and without the variables (PGPORT,
 * PGDATA, LC_ALL …) that would change what PostgreSQL does. Node.js empties the supplementary groups when it sets a uid.
 */
export function spawnOptions(user: ServerUser) {
  const { PATH = '/usr/bin:/bin', LD_LIBRARY_PATH } = process.env;
  return {
    cwd: '/',
    env: { PATH, LC_ALL: 'C', TZ: 'UTC', ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) },
    ...(user !== OWN_USER && { uid: user.uid, gid: user.gid }),
  };
}
