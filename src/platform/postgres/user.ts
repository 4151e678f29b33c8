import { execFile } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './error.ts';

/** The operating system's user that owns the cluster and runs the server. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
  /** True when we are root and have to become this user, because PostgreSQL refuses to run as root. */
  isSwitched: boolean;
}

/**
 * Who runs the server: ourselves; but for root, the owner of what is there already, else `postgres`,
 * else `nobody`.
 */
export async function findServerUser(dataDir: string): Promise<ServerUser> {
  if (process.geteuid?.() !== 0) return ownUser();
  const user =
    (await findOwner(join(dataDir, 'postgres'))) ??
    (await findOwner(dataDir)) ??
    (await findUser('postgres')) ??
    (await findUser('nobody'));
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    'The embedded PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody": run as an ordinary user, or set DATABASE_URL.',
  );
}

/** Finds a user in the text of /etc/passwd by its name or its uid. */
export function parseUser(passwd: string, wanted: string): Omit<ServerUser, 'isSwitched'> | null {
  for (const line of passwd.split('\n')) {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    if (gid !== '' && (name === wanted || uid === wanted))
      return { name, uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

function ownUser(): ServerUser {
  try {
    const { username, uid, gid } = userInfo();
    return { name: username, uid, gid, isSwitched: false };
  } catch {
    throw new EmbeddedPostgresError(
      `User id ${process.geteuid?.()} has no name on this system, and the embedded PostgreSQL needs one: run as a named user, or set DATABASE_URL.`,
    );
  }
}

async function findOwner(path: string): Promise<ServerUser | undefined> {
  const status = await lstat(path).catch(() => undefined);
  if (status === undefined || status.uid === 0) return undefined;
  const user = await findUser(String(status.uid));
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    `${path} belongs to user id ${status.uid}, which has no name on this system: give the folder to a named user.`,
  );
}

async function findUser(wanted: string): Promise<ServerUser | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const user = parseUser(passwd, wanted) ?? (await askId(wanted));
  return user === null || user.uid === 0 ? undefined : { ...user, isSwitched: true };
}

/** Users of a directory service, and all of macOS, are not in /etc/passwd; `id` knows them. */
async function askId(wanted: string): Promise<Omit<ServerUser, 'isSwitched'> | null> {
  const id = async (flag: string) =>
    (await promisify(execFile)('id', [flag, wanted], { timeout: 10_000 })).stdout.trim();
  try {
    return { name: await id('-un'), uid: Number(await id('-u')), gid: Number(await id('-g')) };
  } catch {
    return null;
  }
}
