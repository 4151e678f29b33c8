import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runInTransaction } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { DRAFTS, listOlderFiles } from './folder.ts';
import { removePicture, type MediaStore } from './service.ts';
import {
  deletePicture,
  findUnknownHashes,
  insertPicture,
  listUnused,
  noteUnused,
} from './store.ts';
import { NIL_ID } from '../platform/text/index.ts';

/** Deletes the unused pictures of an account, and files that crashes have left. */
export async function sweepPictures(
  store: MediaStore,
  accountId: string,
  { now, unusedBefore, leftBefore }: { now: Date; unusedBefore: Date; leftBefore: Date },
): Promise<void> {
  await noteUnused(store.db, accountId, now);
  await sweepUnused(store, accountId, unusedBefore);
  await sweepLeftFiles(store, accountId, leftBefore);
}

/** Deletes the pictures that nothing has used since before a time. */
async function sweepUnused(store: MediaStore, accountId: string, before: Date): Promise<void> {
  for (const { sha256 } of await listUnused(store.db, accountId, before))
    try {
      await removePicture(store, accountId, sha256, before);
    } catch (error) {
      // A row has got a reference to the picture, or somebody has deleted it or sent it again.
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
