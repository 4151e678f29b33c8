import type { Readable } from 'node:stream';
import type { Principal } from '../access/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { Problem, unavailable, type Fault } from '../platform/http/index.ts';
import { isStorable, parsePictureKey } from '../platform/text/index.ts';
import { convertPicture } from './convert.ts';
import { hasFile, makeDraft, nameFile, placeFiles, removeDraft, removeFiles } from './folder.ts';
import { PICTURE_TYPES, type Converted, type Extension } from './rules.ts';
import type { Picture } from './schemas.ts';
import {
  deletePicture,
  findPicture,
  insertPicture,
  clearUnusedSince,
  lockKeys,
  lockPicture,
  readSizes,
  type StoredPicture,
} from './store.ts';
import { writeUpload } from './upload.ts';
import { countUses, type Uses } from './uses.ts';

/** The stores of pictures: rows in the database, and files in a folder. */
export interface MediaStore {
  db: Pool;
  mediaDir: string;
}

/** Presents a picture as the API shows it. */
export function presentPicture(publicUrl: string, picture: StoredPicture): Picture {
  const { ext, bytes, width, height, sha256, createdAt } = picture;
  const key = nameFile(picture);
  return {
    key,
    url: `${publicUrl}/media/${key}`,
    contentType: PICTURE_TYPES[ext],
    bytes,
    width,
    height,
    sha256,
    createdAt: createdAt.toISOString(),
  };
}

/** An upload: its type from the Content-Type, and its bytes as a stream. */
interface Upload {
  ext: Extension;
  body: Readable;
  /** Checks again, after all bytes have arrived, that the caller may upload. */
  checkAgain: () => void | Promise<void>;
}

/** Stores a picture. When the account has a picture of the same bytes, returns that one. */
export async function addPicture(
  { db, mediaDir }: MediaStore,
  { accountId, actor }: Principal,
  { ext, body, checkAgain }: Upload,
): Promise<{ picture: StoredPicture; isNew: boolean }> {
  const drafts: string[] = [];
  try {
    const source = await addDraft();
    const sha256 = await writeUpload(source, body);
    await checkAgain();
    const known = await findPicture(db, accountId, sha256);
    if (
      known?.ext === ext &&
      (await hasFile(mediaDir, known)) &&
      (await clearUnusedSince(db, known))
    )
      return { picture: known, isNew: false };
    const target = await addDraft();
    const converted = await convertPicture(accountId, { source, ext, target });
    const picture = { accountId, sha256, ext, ...converted, createdAt: new Date() };
    return await runInTransaction(db, (tx) =>
      storePicture(tx, { mediaDir, target, actor }, picture),
    );
  } catch (error) {
    throw isFileError(error)
      ? unavailable('Pictures cannot be stored at the moment.', error)
      : error;
  } finally {
    for (const draft of drafts) await removeDraft(draft).catch(() => undefined);
  }

  async function addDraft(): Promise<string> {
    const draft = await makeDraft(mediaDir);
    drafts.push(draft);
    return draft;
  }
}

/** Inserts the row of a picture, then moves its files. The lock of the row keeps others from adding or deleting the picture. */
async function storePicture(
  tx: Queryable,
  { mediaDir, target, actor }: { mediaDir: string; target: string; actor: Principal['actor'] },
  picture: StoredPicture & Converted,
): Promise<{ picture: StoredPicture; isNew: boolean }> {
  const isNew = await insertPicture(tx, picture, actor);
  const stored = isNew ? picture : await lockPicture(tx, picture.accountId, picture.sha256);
  if (stored === undefined)
    throw unavailable('The picture was deleted at this moment. Send it again.');
  if (!isNew) await clearUnusedSince(tx, stored);
  // The row can exist without its files, after a loss of the media folder. Then store the files again.
  if (isNew || !(await hasFile(mediaDir, stored)))
    await placeFiles(mediaDir, picture, target, picture.widths);
  return { picture: stored, isNew };
}

const FILE_ERRORS = new Set([
  'EACCES',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'ESTALE',
]);

/** Returns whether an error says that a folder or a file could not be written. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && FILE_ERRORS.has(String((error as NodeJS.ErrnoException).code));
}

/**
 * Deletes a picture. Throws a 404 when the account has none with this hash, or none that was unused before this time, and a 409
 * when a row refers to it.
 */
export async function removePicture(
  { db, mediaDir }: MediaStore,
  accountId: string,
  sha256: string,
  unusedBefore?: Date,
): Promise<void> {
  await runInTransaction(db, async (tx) => {
    const picture = await lockPicture(tx, accountId, isStorable(sha256) ? sha256 : '');
    if (picture === undefined) throw pictureNotFound();
    const { unusedSince } = picture;
    if (unusedBefore && (unusedSince === null || unusedSince >= unusedBefore))
      throw pictureNotFound();
    const uses = await countUses(tx, accountId, nameFile(picture));
    if (Object.values(uses).some((count) => count > 0)) throw inUse(uses);
    await deletePicture(tx, picture);
    // Remove the files before COMMIT: an upload of the same bytes waits for COMMIT, then writes them again.
    await removeFiles(mediaDir, picture);
  });
}

function pictureNotFound(): Problem {
  return new Problem('picture_not_found', 'The account has no picture of this SHA-256.');
}

function inUse(references: Uses): Problem {
  const used = Object.entries(references).filter(([, count]) => count > 0);
  const detail = `The picture is in use: ${used.map(([noun, count]) => `${noun}: ${count}`).join(', ')}.`;
  return new Problem('in_use', detail, { references: { ...references } });
}

/** An image key that a request writes, and its place in the body. */
export interface WrittenKey {
  pointer: string;
  key: string;
}

/**
 * Throws a 422 when a key names a picture that the service should store and the account does not have. Locks the pictures, so that
 * nobody deletes them before the transaction ends. Call it before raising the revision.
 */
export async function requirePictures(
  tx: Queryable,
  accountId: string,
  written: WrittenKey[],
): Promise<void> {
  const keys = written.map(({ key }) => key);
  const missing = await findMissingPictures(tx, accountId, keys, { locks: true });
  const wrong = written.filter(({ key }) => missing.has(key));
  if (wrong.length > 0) throw mediaNotFound(wrong.map(({ pointer }) => pointer));
}

/** Makes the 422 for a request with keys of missing pictures at these places. */
export function mediaNotFound(pointers: string[]): Problem {
  const errors = pointers.map((pointer): Fault => {
    const place = pointer.slice(1);
    return {
      pointer,
      detail: `${place} must be the key of a picture of the account; send it to POST /media first.`,
    };
  });
  return new Problem('media_not_found', errors.map(({ detail }) => detail).join(' '), { errors });
}

/**
 * Finds which of these keys name pictures that the service stores and the account does not have. With `locks`, it locks the
 * others, so that nobody deletes them before the transaction ends.
 */
export async function findMissingPictures(
  tx: Queryable,
  accountId: string,
  keys: string[],
  { locks }: { locks: boolean },
): Promise<Set<string>> {
  const hashes = [...new Set(keys.flatMap((key) => parsePictureKey(key)?.sha256 ?? []))];
  if (hashes.length === 0) return new Set();
  const found = locks
    ? await lockKeys(tx, accountId, hashes)
    : await readSizes(tx, accountId, hashes);
  return new Set(keys.filter((key) => parsePictureKey(key) !== null && !found.has(key)));
}
