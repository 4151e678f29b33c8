import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type Quota, type RateLimiter, type QuotaUse } from '../platform/http/index.ts';
import { getPrincipal } from './principal.ts';

/** Makes the hook that takes one request from the quota of the caller. It runs after authentication. */
export function limitRequests(limiter: RateLimiter) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    take(limiter, request, reply, { amount: 1, taken: 0 });
}

/**
 * Counts a request that stands for `count` requests, of which `limitRequests` has counted one. Throws a 429 when nothing is
 * left.
 */
export async function limitAmount(
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  count: number,
): Promise<void> {
  if (count > 1) await take(limiter, request, reply, { amount: count - 1, taken: 1 });
}

async function take(
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  { amount, taken }: { amount: number; taken: number },
): Promise<void> {
  const result = await limiter.take(getPrincipal(request).actor.id, amount, taken);
  const { name, perMinute } = limiter.quota;
  // The fields of draft-ietf-httpapi-ratelimit-headers-11.
  reply.header('ratelimit-policy', `"${name}";q=${perMinute};w=60`);
  reply.header('ratelimit', `"${name}";r=${result.left};t=${toSeconds(result.resetMs)}`);
  if (!result.isAllowed) throw makeOverLimit(limiter.quota, result);
}

function makeOverLimit({ name, perMinute }: Quota, taken: QuotaUse): Problem {
  const left = toSeconds(taken.resetMs);
  const advice = `try again in ${left} ${left === 1 ? 'second' : 'seconds'}`;
  return rateLimited(`This API key may make ${perMinute} ${name} a minute; ${advice}.`, taken);
}

/** The 429 of a request for which there is no room at the moment. */
export function rateLimited(detail: string, { resetMs }: Pick<QuotaUse, 'resetMs'>): Problem {
  return new Problem('rate_limited', detail, {
    headers: { 'retry-after': String(toSeconds(resetMs)) },
  });
}

function toSeconds(ms: number): number {
  return Math.max(Math.ceil(ms / 1000), 1);
}
