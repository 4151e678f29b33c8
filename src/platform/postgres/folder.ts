import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { lchown, lstat, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError, errorCode, errorText } from './error.ts';
import type { ServerUser } from './user.ts';

/** Makes a folder and its missing parents; one that is there already is left as it is. */
export function makeFolder(path: string, mode: number): void {
  try {
    makeWithMode(path, mode);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${path} cannot be made (${errorCode(error) ?? errorText(error)}): name a folder that can be written in OFFPLAN_DATA_DIR.`,
    );
  }
}

function makeWithMode(path: string, mode: number, hasParent = false): void {
  // The mode must be right from the first moment, whatever the umask: another process that starts
  // at the same time may look at the folder before a chmod.
  const umask = process.umask(0o777 & ~mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // A second ENOENT, with the parent there, is a file system in which nothing can be made (/proc).
    if (errorCode(error) === 'ENOENT' && !hasParent) {
      makeWithMode(dirname(path), 0o755);
      makeWithMode(path, mode, true);
    } else if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    process.umask(umask);
  }
}

/** Makes a 0700 folder that belongs to the server's user. */
export async function makePrivateFolder(path: string, user: ServerUser): Promise<void> {
  makeFolder(path, 0o700);
  const status = await lstat(path);
  if (user.isSwitched && status.uid === 0 && status.isDirectory())
    await lchown(path, user.uid, user.gid);
}

/** True when there is anything at the path, even a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/**
 * Replaces a file of the server's user at once and durably. It is made anew and renamed, so that
 * root never writes through a link that someone else put there.
 */
export async function replaceFile(path: string, text: string, user: ServerUser): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (user.isSwitched) await file.chown(user.uid, user.gid);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncToDisk(dirname(path));
}

/** Makes a file's contents, or the names in a folder, survive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
