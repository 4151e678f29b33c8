import { hash } from 'node:crypto';

/** What stands for bytes in an ETag. */
export function digestOf(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}

/** Made of an answer, or of the digests of its parts. The same for each content coding of the bytes, hence weak. */
export function etagOf(bytes: Buffer | string): string {
  return `W/"${hash('sha256', bytes, 'base64url')}"`;
}

/** Whether an If-None-Match header names this ETag, by the weak comparison of RFC 9110, 8.8.3.2. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  const opaque = etag.slice(2);
  const named: string[] = header.match(/"[^"]*"/g) ?? [];
  return named.includes(opaque);
}
