import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runInTransaction } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { DRAFTS, listOlderFiles } from './folder.ts';
import { removePicture, type MediaStore } from './service.ts';
import { deletePicture, findUnknownHashes, insertPicture, listUnused } from './store.ts';
import { NIL_ID } from '../platform/text/index.ts';

/** Deletes the unused pictures of an account, and files that crashes have left. */
export async function sweepPictures(
  store: MediaStore,
  accountId: string,
  { unusedBefore, leftBefore }: { unusedBefore: Date; leftBefore: Date },
): Promise<void> {
  await sweepUnused(store, accountId, unusedBefore);
  await sweepLeftFiles(store, accountId, leftBefore);
}

/** Deletes the pictures that were uploaded before a time and that no row of the account refers to. */
async function sweepUnused(store: MediaStore, accountId: string, before: Date): Promise<void> {
  for (const { sha256 } of await listUnused(store.db, accountId, before))
    try {
      await removePicture(store, accountId, sha256);
    } catch (error) {
      // A row has got a reference to the picture, or somebody has deleted it.
      if (!(error instanceof Problem)) throw error;
    }
}

/** Deletes drafts, and files without a picture, that a crash before a time has left. */
async function sweepLeftFiles(
  { db, mediaDir }: MediaStore,
  accountId: string,
  before: Date,
): Promise<void> {
  for (const path of await listOlderFiles(join(mediaDir, DRAFTS), before))
    await rm(path, { force: true });
  const files = await listOlderFiles(join(mediaDir, accountId), before);
  const hashes = [...new Set(files.map((path) => basename(path).slice(0, 64)))];
  for (const sha256 of await findUnknownHashes(db, accountId, hashes))
    await runInTransaction(db, async (tx) => {
      // Insert a row for the file: an upload of the same bytes then waits until the transaction ends.
      const place = {
        accountId,
        sha256,
        ext: 'jpg',
        bytes: 0,
        width: 0,
        height: 0,
        createdAt: new Date(),
      } as const;
      if (!(await insertPicture(tx, place, NOBODY))) return;
      for (const path of files)
        if (basename(path).startsWith(sha256)) await rm(path, { force: true });
      await deletePicture(tx, place);
    });
}

const NOBODY = { type: 'system', id: NIL_ID };
