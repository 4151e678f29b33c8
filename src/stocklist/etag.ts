import { hash } from 'node:crypto';

/** Makes the ETag of a body. It is weak, since it is the same for each content coding of the body. */
export function makeEtag(bytes: Buffer): string {
  return `W/"${hash('sha256', bytes, 'base64url')}"`;
}
