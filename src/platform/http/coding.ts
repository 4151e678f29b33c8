import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';

/** A content coding of an answer (RFC 9110, 8.4.1). */
export type Coding = 'br' | 'gzip' | 'identity';

// The order of preference when a client accepts several codings equally.
const CODINGS: Coding[] = ['br', 'gzip', 'identity'];

// Brotli's default quality takes many times as long, and saves only a few bytes.
const BROTLI_QUALITY = 5;

/** The results by header. Clients send only a few dozen different headers. */
const negotiated = new LRUCache<string, Coding>({ max: 200 });

/** Returns the coding that an Accept-Encoding header prefers, or identity when it accepts no other. */
export function negotiateCoding(header: string | string[] | undefined): Coding {
  if (typeof header !== 'string') return 'identity';
  const known = negotiated.get(header);
  if (known !== undefined) return known;
  const allowed = CODINGS.filter((coding) => !isRefused(header, coding));
  const coding = negotiate(header.toLowerCase(), allowed) ?? 'identity';
  negotiated.set(header, coding);
  return coding;
}

// The negotiator resolves `*` to its first coding, even when the header refuses that coding by name.
function isRefused(header: string, coding: Coding): boolean {
  return new RegExp(`(^|[\\s,])${coding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`, 'i').test(header);
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress);

/** Compresses a whole body in the thread pool of Node.js. */
export function compress(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  if (coding === 'gzip') return compressGzip(body);
  return compressBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
