import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { newId } from '../text/index.ts';
import { readIdempotencyKey, type IdempotencyClaim } from './key.ts';

/**
 * Reads the claim of a request from its Idempotency-Key and its body, and stores nothing; null without the header. Each actor has
 * keys of its own. `variant` tells apart requests that have the same body but are handled differently.
 */
export function readClaim(
  request: FastifyRequest,
  actorId: string,
  variant = '',
): IdempotencyClaim | null {
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  if (key === null) return null;
  const [path] = request.url.split('?', 1);
  const hash = createHash('sha256').update(`${request.method} ${path} ${variant}\n`);
  return {
    actorId,
    key,
    requestSha256: hash.update(request.bodyText).digest(),
    id: newId(),
    claimedAt: new Date(),
  };
}
