import { createHash, randomUUID } from 'node:crypto';
import { chownSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import { findServerUser, OWN_USER, runAs, type ServerUser } from './user.ts';

/** The folder of the embedded PostgreSQL, and the user that runs it. */
export interface DataFolder {
  /** An absolute path without symbolic links. */
  dataDir: string;
  /** The data directory of PostgreSQL, in that folder. */
  cluster: string;
  /** Holds the socket of PostgreSQL. */
  socketFolder: string;
  /** Owns the cluster, and runs PostgreSQL. */
  user: ServerUser;
}

/** Shows a line about the server. One that says why it does not start is an error. */
export type Note = (text: string, level?: 'info' | 'error') => void;

/** The folder that the settings name. `openDataFolder` may choose another one. */
export interface DataFolderOptions {
  /** An absolute path: OFFPLAN_DATA_DIR, or `.offplan` in the working folder. */
  dataDir: string;
  /** Whether OFFPLAN_DATA_DIR is not set. */
  isDefaultDataDir: boolean;
  /** Contains the data of default folders that the user for PostgreSQL cannot enter. */
  systemFolder?: string;
  /** Receives one line of progress for people. */
  note?: Note;
}

/** Opens the data folder. When root's user cannot enter the default one, the data is under /var/lib/offplan. */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const { dataDir, isDefaultDataDir, systemFolder = '/var/lib/offplan', note } = options;
  const user = await findServerUser(dataDir);
  const canEnter = await canEnterFolder(user, dataDir);
  const fallback = join(systemFolder, await nameFallbackFolder(dataDir));
  // A folder under /var/lib/offplan stays in use even when the default one can be entered later.
  const usesFallback = existsSync(join(fallback, 'postgres')) || !canEnter;
  const mayMove = isDefaultDataDir && user !== OWN_USER && !existsSync(join(dataDir, 'postgres'));
  if (mayMove && usesFallback) {
    note?.(
      `The embedded PostgreSQL has its data in ${fallback} (its user "${user.name}" cannot enter ${dirname(dataDir)}).`,
    );
    return makeDataFolder(fallback, await findServerUser(fallback));
  }
  if (canEnter) return makeDataFolder(dataDir, user);
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new EmbeddedPostgresError(`OFFPLAN_DATA_DIR must name a folder; ${dataDir} is a file.`);
  throw new EmbeddedPostgresError(
    `${user === OWN_USER ? `This user (${user.name})` : `PostgreSQL runs as user "${user.name}", who`} cannot enter ${dataDir}: name a folder that it can enter in OFFPLAN_DATA_DIR, or open the folders above that one (chmod o+x).`,
  );
}

/** Names the folder for the data of a default folder. Older default folders contain a file `id`, which is part of the name. */
async function nameFallbackFolder(dataDir: string): Promise<string> {
  const id = await readFile(join(dataDir, 'id'), 'utf8').catch(() => '');
  const checkout = basename(dirname(dataDir)).slice(0, 30) || 'root';
  return `${checkout}-${hashOf(`${dataDir}\n${id}`).slice(0, 12)}`;
}

async function makeDataFolder(dataDir: string, user: ServerUser): Promise<DataFolder> {
  // A folder of root stays root's. Other users may only pass through it.
  makeFolder(dataDir, user === OWN_USER ? 0o700 : 0o711);
  const path = await realpath(dataDir);
  const socketFolder = ensureSocketFolder(path, user);
  return { dataDir: path, cluster: join(path, 'postgres'), socketFolder, user };
}

/** Whether the user can enter a folder, or the last one on the way to it that exists. */
async function canEnterFolder(user: ServerUser, path: string): Promise<boolean> {
  if (!existsSync(path)) return canEnterFolder(user, dirname(path));
  return (await runAs(user, 'cd "$1"', path)).isSuccess;
}

/** The most bytes that the path of a Unix socket may have. */
const SOCKET_PATH_MAX_BYTES = process.platform === 'darwin' ? 103 : 107;

/** Makes the folder of the socket: in the data folder, or in /tmp when its path is too long. */
function ensureSocketFolder(dataDir: string, user: ServerUser): string {
  const inside = join(dataDir, 'run');
  const isShort = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= SOCKET_PATH_MAX_BYTES;
  const folder = isShort ? inside : `/tmp/offplan-${hashOf(dataDir)}`;
  makeFolder(folder, 0o700, user);
  const status = lstatSync(folder);
  // Another user can make a folder in /tmp first.
  if (status.isDirectory() && status.uid === user.uid && (status.mode & 0o777) === 0o700)
    return folder;
  // Root's PostgreSQL runs as another user. The folder of its socket is in use.
  if (isShort && user === OWN_USER && status.uid !== user.uid)
    throw new EmbeddedPostgresError(
      `Another user runs PostgreSQL in ${dataDir}: run this as root or as that user, or name another folder in OFFPLAN_DATA_DIR.`,
    );
  throw new EmbeddedPostgresError(
    `${folder} is not a folder of user "${user.name}" alone (mode 0700), so it is not used for the database's socket: remove it.`,
  );
}

/** Makes a folder and its missing parents with this mode, whatever the umask is, unless it is there. */
export function makeFolder(path: string, mode: number, owner = OWN_USER): void {
  const umask = process.umask(0);
  try {
    const isMissing = makeFolders(path, mode);
    if (isMissing && owner !== OWN_USER) chownSync(path, owner.uid, owner.gid);
  } finally {
    process.umask(umask);
  }
}

/** Makes a folder and its missing parents. Returns false when it is there. Node's own `recursive` never returns below /proc. */
function makeFolders(path: string, mode: number): boolean {
  if (isFolder(path)) return false;
  makeFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // Another process can make it first.
    if (isFolder(path)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const DRAFT = '.init-';
/** Making a folder takes seconds. */
const DRAFT_MAX_MS = 3_600_000;

/**
 * Makes a folder under another name and renames it when it is complete, so that no other process sees an incomplete one. When
 * several processes make it at once, the first one wins.
 */
export async function createFolderAtomically(path: string, make: (draft: string) => Promise<void>) {
  await removeOldDrafts(path);
  if (existsSync(path)) return;
  const draft = `${path}${DRAFT}${randomUUID()}`;
  try {
    await make(draft);
    await rename(draft, path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
    // Flush the folder, so that the new name survives a power cut.
    await using folder = await open(dirname(path));
    await folder.sync();
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the drafts of a folder that killed processes have left. */
async function removeOldDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path));
  for (const name of names.filter((each) => each.startsWith(`${basename(path)}${DRAFT}`))) {
    const draft = join(dirname(path), name);
    const madeMs = (await stat(draft).catch(() => null))?.mtimeMs ?? Infinity;
    // A draft that cannot be removed does no harm.
    if (Date.now() - madeMs > DRAFT_MAX_MS)
      await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 24);
}
