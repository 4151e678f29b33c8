import { createHash } from 'node:crypto';

/** What stands for bytes in an ETag. */
export function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Made of the parts of an answer, or of their digests. The same for each content coding of the bytes, hence weak. */
export function etagOf(...parts: Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url')}"`;
}

/** Whether an If-None-Match header names this ETag, by the weak comparison of RFC 9110, 8.8.3.2. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  const opaque = etag.slice(2);
  const named: string[] = header.match(/"[^"]*"/g) ?? [];
  return named.includes(opaque);
}
