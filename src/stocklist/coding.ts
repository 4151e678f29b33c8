import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';

export type Coding = 'br' | 'gzip' | 'identity';

// In the order of preference among those that a client likes equally.
const CODINGS: Coding[] = ['br', 'gzip', 'identity'];

// Brotli's default quality takes 50 times as long for a tenth less.
const BROTLI_QUALITY = 5;

/** Browsers and clients send a few dozen different headers. */
const negotiated = new LRUCache<string, Coding>({ max: 200 });

/** The coding that an Accept-Encoding header likes best; identity when it likes none. */
export function negotiateCoding(header: string | string[] | undefined): Coding {
  if (typeof header !== 'string') return 'identity';
  const known = negotiated.get(header);
  if (known !== undefined) return known;
  const allowed = CODINGS.filter((coding) => !refuses(header, coding));
  const coding = negotiate(header.toLowerCase(), allowed) ?? 'identity';
  negotiated.set(header, coding);
  return coding;
}

// The negotiator takes `*` for its first coding even where that one is refused by name.
function refuses(header: string, coding: Coding): boolean {
  return new RegExp(`(^|[\\s,])${coding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`, 'i').test(header);
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress);

export function compress(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  if (coding === 'gzip') return compressGzip(body);
  return compressBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
