import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable, withinTime } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import { nameFile } from './folder.ts';
import type { PictureFile, Width } from './rules.ts';

/** Each file that is being opened keeps a thread of Node.js. `bin/offplan.js` asks for 32 threads. */
const OPENINGS = { slots: 8, slotsPerAccount: 8, maxWaitMs: 10_000 };

const runFair = createFairQueue(OPENINGS);

/**
 * Finds the name of a picture's file in the width that a request asks for, or else of the file in the picture's own width. It opens
 * the file, since a network folder that hangs does not open it: then few requests wait for the folder, and all others go on. Throws
 * a 503 when the folder does not answer.
 */
export async function findFile(
  folder: string,
  picture: PictureFile,
  width: Width | undefined,
): Promise<string> {
  const name = nameFile(picture, width);
  const found = runFair(picture.accountId, () => canOpen(join(folder, name))).catch(() => {
    // No slot became free in time: files that hang keep all of them.
    throw folderHangs();
  });
  return (await withinTime(found, OPENINGS.maxWaitMs, folderHangs)) ? name : nameFile(picture);
}

async function canOpen(path: string): Promise<boolean> {
  try {
    await using _file = await open(path);
    return true;
  } catch {
    return false;
  }
}

function folderHangs() {
  return unavailable('The folder of the pictures does not answer. Send the request again later.');
}
