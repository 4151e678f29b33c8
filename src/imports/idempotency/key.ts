import { invalidRequest } from '../../platform/http/index.ts';

const MAX_LENGTH = 255;

/**
 * The client's name of a request, from the value of its Idempotency-Key header, or null without one. The IETF's
 * draft wants a quoted string (RFC 8941); most clients send the bare text. Both name the same.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = [header].flat().join(', ');
  const key = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? text;
  if (/^[\x20-\x7e]+$/.test(key) && key.trim() !== '' && key.length <= MAX_LENGTH) return key;
  const detail = `Idempotency-Key must be a string of 1 to ${MAX_LENGTH} ASCII characters, such as a UUID.`;
  throw invalidRequest([{ header: 'Idempotency-Key', detail }]);
}
