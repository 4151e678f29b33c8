import { invalidRequest, Problem } from '../http/index.ts';

const MAX_LENGTH = 255;

/**
 * Reads the Idempotency-Key header; null without one. The IETF's draft wants a quoted string (RFC 8941), but most clients
 * send the bare text. Both give the same key.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = [header].flat().join(', ');
  const key = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? text;
  if (/^[\x20-\x7e]+$/.test(key) && key.trim() !== '' && key.length <= MAX_LENGTH) return key;
  const detail = `Idempotency-Key must be a string of 1 to ${MAX_LENGTH} ASCII characters, such as a UUID.`;
  throw invalidRequest([{ header: 'Idempotency-Key', detail }]);
}

/** The right to answer a request that has an Idempotency-Key. An attempt that takes over the claim gives it a new id. */
export interface IdempotencyClaim {
  /** The API key or the person that sent the request. */
  actorId: string;
  /** The value of Idempotency-Key. */
  key: string;
  requestSha256: Buffer;
  id: string;
  claimedAt: Date;
}

/** Makes the problem of a request whose first attempt, or the one that took over its claim, has no answer yet. */
export function idempotencyKeyInUse(): Problem {
  const detail = 'The first request with this Idempotency-Key is still running. Ask again.';
  return new Problem('idempotency_key_in_use', detail, { headers: { 'retry-after': '1' } });
}

/** Makes the problem of a request whose key was used for another request. */
export function idempotencyKeyReused(): Problem {
  const detail =
    'This Idempotency-Key was used for another request. Send each request with a key of its own.';
  const errors = [{ header: 'Idempotency-Key', detail }];
  return new Problem('idempotency_key_reused', detail, { errors });
}

/** An answer as it is sent. A repeat of the request gets the same bytes. */
export interface Answer {
  status: number;
  body: string;
}
