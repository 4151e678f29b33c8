import { hash } from 'node:crypto';

/** Makes the ETag of a body. It is weak, since it is the same for each content coding of the body. */
export function makeEtag(bytes: Buffer): string {
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
