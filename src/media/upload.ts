import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { isUnencoded, Problem, readUpload } from '../platform/http/index.ts';
import { findExtension, PICTURE_MAX_BYTES, type Extension } from './rules.ts';
import { CONTENT_TYPES } from './schemas.ts';

/** The longest time of an upload. */
const UPLOAD_MAX_MS = 5 * 60_000;

/** The limits of concurrent uploads. */
export const UPLOAD_SLOTS = {
  maxOfAccount: 4,
  maxOfProcess: 16,
  describe: (max: number, holder: string) =>
    `${holder} takes ${max} pictures at once; send this one when another has been stored.`,
  retryMs: 2_000,
};

/** Reads the type of an upload. Throws a 415 when it is not a type of pictures. */
export function readPictureType({ headers }: Pick<FastifyRequest, 'headers'>): Extension {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const ext = findExtension(type.trim().toLowerCase());
  if (ext === undefined) throw unsupported(`Send the picture as ${CONTENT_TYPES.join(', ')}.`);
  if (!isUnencoded(headers))
    throw unsupported('Send the picture as it is, without a Content-Encoding.');
  return ext;
}

function unsupported(detail: string): Problem {
  return new Problem('unsupported_media_type', detail, {
    title: 'The body must be a picture',
    headers: { connection: 'close' },
  });
}

/** Refuses an upload by its type, and by its length if that is known. It is a hook that runs before the body is read. */
export async function checkUpload(request: FastifyRequest): Promise<void> {
  readPictureType(request);
  if (Number(request.headers['content-length'] ?? 0) > PICTURE_MAX_BYTES) throw tooLarge();
}

function tooLarge(): Problem {
  const detail = `A picture may have at most ${PICTURE_MAX_BYTES / 2 ** 20} MiB.`;
  return new Problem('body_too_large', detail, { headers: { connection: 'close' } });
}

/** Writes a body to a file as it arrives. Returns its SHA-256 in hexadecimal digits. */
export async function writeUpload(path: string, body: Readable): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  await using file = await open(path, 'wx');
  for await (const part of readUpload(body, { thing: 'picture', maxMs: UPLOAD_MAX_MS })) {
    bytes += part.length;
    if (bytes > PICTURE_MAX_BYTES) throw tooLarge();
    hash.update(part);
    // Unlike `write`, it never writes less than all of it.
    await file.writeFile(part);
  }
  return hash.digest('hex');
}
