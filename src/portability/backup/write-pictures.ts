import { createHash } from 'node:crypto';
import { listAllPictures, readPictureFiles } from '../../media/index.ts';
import type { StreamConnection } from '../../platform/database/index.ts';
import { COMMENT, formatComment } from './format.ts';

/** A multiple of 3, so that the lines of a file together are its base64. */
const LINE_BYTES = 48 * 1024;

/** Writes the files of an account's pictures as comments, which psql skips. Returns their number. */
export async function* writePictures(
  connection: StreamConnection,
  mediaDir: string,
  accountId: string,
): AsyncGenerator<string, { pictures: number; missingPictures: number }> {
  const total = { pictures: 0, missingPictures: 0 };
  for (const picture of await listAllPictures(connection, accountId)) {
    const files = await readPictureFiles(mediaDir, picture);
    if (files.length === 0) total.missingPictures += 1;
    for (const { name, bytes } of files) {
      total.pictures += 1;
      yield* writeFile(name, bytes);
    }
  }
  return total;
}

function* writeFile(picture: string, bytes: Buffer): Generator<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  yield formatComment({ picture, bytes: bytes.length, sha256 });
  for (let at = 0; at < bytes.length; at += LINE_BYTES)
    yield `${COMMENT}${bytes.toString('base64', at, at + LINE_BYTES)}\n`;
}
