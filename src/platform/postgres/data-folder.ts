import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { chown, lstat, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import { findServerUser, runAs, type ServerUser } from './user.ts';

/** The folder that holds `postgres/`, and the user that owns what is in it. */
export interface DataFolder {
  /** A real path. */
  dataDir: string;
  user: ServerUser;
}

export interface DataFolderOptions {
  /** An absolute path: OFFPLAN_DATA_DIR, or `.offplan` in the working folder. */
  dataDir: string;
  /** Whether OFFPLAN_DATA_DIR is not set. */
  dataDirIsDefault: boolean;
  /** Holds the data of default folders that the user for PostgreSQL cannot enter. */
  systemFolder?: string;
  /** Takes one line of progress for people. */
  note?: (text: string) => void;
}

/** Opens the data folder. When root's user cannot enter the default one, the data is under /var/lib/offplan. */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const { dataDir, dataDirIsDefault, systemFolder = '/var/lib/offplan', note } = options;
  const user = await findServerUser(dataDir);
  const canEnter = await canEnterFolder(user, dataDir);
  const elsewhere = join(systemFolder, await nameElsewhere(dataDir));
  // A folder under /var/lib/offplan stays in use when the default one is opened later.
  const isElsewhere = existsSync(join(elsewhere, 'postgres')) || !canEnter;
  const mayMove = dataDirIsDefault && user.isSwitched && !existsSync(join(dataDir, 'postgres'));
  if (mayMove && isElsewhere) {
    note?.(
      `The embedded PostgreSQL has its data in ${elsewhere} (its user "${user.name}" cannot enter ${dirname(dataDir)}).`,
    );
    return makeDataFolder(elsewhere, await findServerUser(elsewhere));
  }
  if (canEnter) return makeDataFolder(dataDir, user);
  throw new EmbeddedPostgresError(
    `PostgreSQL runs as user "${user.name}", who cannot enter ${dataDir}: name a folder that it can enter in OFFPLAN_DATA_DIR, or open the folders above that one (chmod o+x).`,
  );
}

/** Names the folder for the data of a default folder. Older ones have an id in them, which is part of the name. */
async function nameElsewhere(dataDir: string): Promise<string> {
  const id = await readFile(join(dataDir, 'id'), 'utf8').catch(() => '');
  const checkout = basename(dirname(dataDir)).slice(0, 30) || 'root';
  return `${checkout}-${hashOf(`${dataDir}\n${id}`).slice(0, 12)}`;
}

async function makeDataFolder(dataDir: string, user: ServerUser): Promise<DataFolder> {
  // A folder of root stays root's, and other users may only pass through it.
  makeFolder(dataDir, user.isSwitched ? 0o711 : 0o700);
  return { dataDir: await realpath(dataDir), user };
}

/** Whether the user can enter a folder, or the last one on the way to it that exists. */
async function canEnterFolder(user: ServerUser, path: string): Promise<boolean> {
  if (!existsSync(path)) return canEnterFolder(user, dirname(path));
  return (await runAs(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', path])).isSuccess;
}

/** The most bytes that the path of a Unix socket may have. */
const SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/** Makes the folder of the socket: in the data folder, or in /tmp when its path is too long. */
export async function ensureSocketFolder({ dataDir, user }: DataFolder): Promise<string> {
  const inside = join(dataDir, 'run');
  const isShort = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES;
  const folder = isShort ? inside : `/tmp/offplan-${hashOf(dataDir)}`;
  await makePrivateFolder(folder, user);
  const status = await lstat(folder);
  // Another user can make a folder in /tmp first.
  if (status.isDirectory() && status.uid === user.uid && (status.mode & 0o777) === 0o700)
    return folder;
  throw new EmbeddedPostgresError(
    `${folder} is not a folder of user "${user.name}" alone (mode 0700), so it is not used for the database's socket: remove it.`,
  );
}

/** Makes a folder that only the user for PostgreSQL can enter, unless it is there. */
export async function makePrivateFolder(path: string, user: ServerUser): Promise<void> {
  if (makeFolder(path, 0o700) && user.isSwitched) await chown(path, user.uid, user.gid);
}

/** Makes a folder and its missing parents with this mode, whatever the umask is. Returns whether it was missing. */
function makeFolder(path: string, mode: number): boolean {
  const umask = process.umask(0);
  try {
    return mkdirSync(path, { recursive: true, mode }) !== undefined;
  } finally {
    process.umask(umask);
  }
}

/** A draft that is older was left by a process that was killed. */
const DRAFT_AGE_MS = 600_000;

/**
 * Makes a folder under another name and renames it when it is complete, so that no other process sees an incomplete one. When
 * several processes make it at once, the first one wins.
 */
export async function makeComplete(path: string, make: (draft: string) => Promise<void>) {
  if (existsSync(path)) return;
  const draft = `${path}.init-${randomUUID()}`;
  try {
    await make(draft);
    await rename(draft, path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
    // The new name survives a power cut.
    const folder = await open(dirname(path));
    await folder.sync();
    await folder.close();
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The names that drafts have: other files in the data folder are not ours. */
const DRAFT_NAME = /^(postgres|binaries-.+)\.init-[\da-f-]{36,}$/;

export async function removeOldDrafts(dataDir: string): Promise<void> {
  for (const name of (await readdir(dataDir)).filter((each) => DRAFT_NAME.test(each))) {
    const path = join(dataDir, name);
    const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > DRAFT_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 24);
}
