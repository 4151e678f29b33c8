import type { FastifyRequest } from 'fastify';
import { isUnencoded, Problem, readCharset, readUpload } from '../../platform/http/index.ts';
import type { Format } from '../files/format.ts';
import { FILE_MAX_BYTES, fileTooLarge } from './service.ts';

/** The media types of files, with their formats. */
const MEDIA_TYPES: Record<string, Format> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/x-ndjson': 'ndjson',
};
export const UPLOAD_TYPES = Object.keys(MEDIA_TYPES);

/** How long an upload may take in all. */
const UPLOAD_MAX_MS = 15 * 60_000;

/** The limits of concurrent uploads. */
export const UPLOAD_SLOTS = {
  maxOfAccount: 2,
  maxOfProcess: 4,
  describe: (max: number, holder: string) =>
    `${holder} takes ${max} files at once; send this one when another has arrived.`,
  retryMs: 5_000,
};

/** The format of an upload, and its encoding if the media type names one. */
interface MediaType {
  mediaFormat: Format;
  encoding: string | null;
}

/** Reads the media type of an upload. Throws a 415 when it is not one of a file. */
export function readMediaType({ headers }: FastifyRequest): MediaType {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const mediaFormat = MEDIA_TYPES[type.trim().toLowerCase()];
  if (mediaFormat === undefined) throw unsupported(`Send the file as ${UPLOAD_TYPES.join(', ')}.`);
  if (!isUnencoded(headers))
    throw unsupported('Send the file as it is, without a Content-Encoding.', {
      'accept-encoding': 'identity',
    });
  const charset = readCharset(headers);
  return { mediaFormat, encoding: charset === null ? null : readEncoding(charset) };
}

function readEncoding(charset: string): string {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    throw unsupported('Send the file in an encoding of the Encoding Standard, such as UTF-8.');
  }
}

function unsupported(detail: string, headers: Record<string, string> = {}): Problem {
  return new Problem('unsupported_media_type', detail, {
    title: 'The body must be a file of contacts',
    headers: { ...headers, connection: 'close' },
  });
}

/** A hook before the body is read. Refuses the body by its type, and by its length if that is known. */
export async function checkUpload(request: FastifyRequest): Promise<void> {
  readMediaType(request);
  if (Number(request.headers['content-length'] ?? 0) > FILE_MAX_BYTES) throw fileTooLarge();
}

/** Reads a body as it arrives. Throws when the client pauses, or takes too long. */
export const readBody = (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> =>
  readUpload(body, { thing: 'file', maxMs: UPLOAD_MAX_MS });
