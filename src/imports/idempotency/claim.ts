import { Problem } from '../../platform/http/index.ts';

/** The right to answer a request that its client has named. Another attempt that takes it over gets a new id. */
export interface Claim {
  apiKeyId: string;
  /** The client's Idempotency-Key. */
  key: string;
  /** SHA-256 of the request that it names. */
  requestSha256: Buffer;
  id: string;
  claimedAt: Date;
}

const RETRY_AFTER_S = '1';

/** The first request with this key, or another attempt that has taken it over, has no answer yet. */
export function inUse(): Problem {
  const detail = 'The first request with this Idempotency-Key is still running. Ask again.';
  return new Problem('idempotency_key_in_use', detail, {
    headers: { 'retry-after': RETRY_AFTER_S },
  });
}

export function reused(): Problem {
  const detail =
    'This Idempotency-Key was used for another request. Send each request with a key of its own.';
  return new Problem('idempotency_key_reused', detail, {
    errors: [{ header: 'Idempotency-Key', detail }],
  });
}
