import { randomUUID } from 'node:crypto';
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PICTURE_TYPES, WIDTHS, type PictureFile, type Width } from './rules.ts';

/*
 * The folder of pictures. It has a folder for each account, with a file for each picture and each smaller size. A file is written as
 * a draft, flushed and renamed, so that a crash leaves no incomplete picture.
 */

/** The folder of drafts. */
export const DRAFTS = '.drafts';

/**
 * Throws the error of the system when no picture can be stored in this folder. It need not exist, since the first picture makes it
 * and the folders above it.
 */
export async function requireWritable(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
  });
  if (found === undefined) return requireWritable(dirname(folder));
  if (!found.isDirectory())
    throw Object.assign(new Error(`${folder} is a file`), { code: 'EEXIST' });
  // Try it: root has every right, and yet makes no folder below /proc.
  await rmdir(await mkdtemp(join(folder, '.offplan-')));
}

/** Names the file of a picture, or of a smaller size, in the folder. */
export function nameFile({ accountId, sha256, ext }: PictureFile, width?: Width): string {
  return `${accountId}/${sha256}${width === undefined ? '' : `-${width}`}.${ext}`;
}

/** Makes a folder and those above it. Node's own `recursive` never returns below /proc, and reports a read-only disk as ENOENT. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
    await giveToOwner(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || (await stat(dirname(path)).catch(() => null)) !== null) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

/**
 * Gives a new folder or file to the owner of the folder that it is in, when root makes it. The service of an operator who restores an
 * account as root runs as another user.
 */
async function giveToOwner(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  // A file server may not let root do this.
  await chown(path, uid, gid).catch(() => undefined);
}

/** Makes a path for a draft. */
export async function makeDraft(folder: string): Promise<string> {
  await makeFolder(join(folder, DRAFTS));
  return join(folder, DRAFTS, randomUUID());
}

/** Returns whether the file of a picture exists. */
export async function hasFile(
  folder: string,
  picture: PictureFile,
  width?: Width,
): Promise<boolean> {
  const found = await stat(join(folder, nameFile(picture, width))).catch(() => null);
  return found !== null;
}

/** Moves the flushed drafts of a picture and its sizes to their places, the picture last: it exists only when all sizes do. */
export async function placeFiles(
  folder: string,
  picture: PictureFile,
  draft: string,
  widths: readonly Width[],
): Promise<void> {
  const ofAccount = join(folder, picture.accountId);
  await makeFolder(ofAccount);
  for (const width of [...widths, undefined])
    await rename(nameDraft(draft, width), join(folder, nameFile(picture, width)));
  await using directory = await open(ofAccount, 'r');
  await directory.sync();
}

const nameDraft = (draft: string, width?: Width): string =>
  width === undefined ? draft : `${draft}-${width}`;

/** A file of a picture or of a smaller size, with its name in the folder of the account. */
interface NamedFile {
  name: string;
  bytes: Buffer;
}

/** Reads the files of a picture and its sizes. Returns none when the picture's own file is missing. */
export async function readPictureFiles(folder: string, picture: PictureFile): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const width of [undefined, ...WIDTHS]) {
    const path = nameFile(picture, width);
    const bytes = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (bytes === null && width === undefined) return [];
    if (bytes !== null) files.push({ name: basename(path), bytes });
  }
  return files;
}

const FILE_NAME = new RegExp(
  `^[0-9a-f]{64}(-(${WIDTHS.join('|')}))?\\.(${Object.keys(PICTURE_TYPES).join('|')})$`,
);

/** Returns whether a name can be that of a picture's file. */
export const isPictureName = (name: string): boolean => FILE_NAME.test(name);

/** Writes a file of a picture unless it exists. Returns whether it was written. */
export async function placeFile(folder: string, path: string, bytes: Buffer): Promise<boolean> {
  if ((await stat(join(folder, path)).catch(() => null)) !== null) return false;
  const draft = await makeDraft(folder);
  try {
    await using handle = await open(draft, 'wx');
    await handle.writeFile(bytes);
    await handle.sync();
    await giveToOwner(draft);
    const ofAccount = join(folder, dirname(path));
    await makeFolder(ofAccount);
    await rename(draft, join(folder, path));
    await using directory = await open(ofAccount, 'r');
    await directory.sync();
  } catch (error) {
    await removeDraft(draft);
    throw error;
  }
  return true;
}

/** Removes a file of the folder, if it exists. */
export async function removeFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
}

/** Removes the drafts of a picture and its sizes. */
export async function removeDraft(draft: string): Promise<void> {
  for (const width of [undefined, ...WIDTHS]) await rm(nameDraft(draft, width), { force: true });
}

/** Removes the files of a picture. */
export async function removeFiles(folder: string, picture: PictureFile): Promise<void> {
  for (const width of [undefined, ...WIDTHS])
    await rm(join(folder, nameFile(picture, width)), { force: true });
}

/** Removes all pictures of a deleted account. */
export async function removeAccountFiles(folder: string, accountId: string): Promise<void> {
  await rm(join(folder, accountId), { recursive: true, force: true });
}

/** Lists the files in a folder that were written before a time, by their paths. */
export async function listOlderFiles(folder: string, before: Date): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const older: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtime < before) older.push(path);
  }
  return older;
}
