import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  Problem,
  SAFE_METHODS,
  whenReady,
  type Check,
  type Quota,
  type QuotaUse,
  type RateLimiter,
  type RateName,
} from '../platform/http/index.ts';
import { getPrincipal, type CallerLimits, type Principal } from './principal.ts';

/** Makes the check that takes one request from the quota of the caller. It runs after authentication. */
export function limitRequests(limiter: RateLimiter): Check {
  return (request, reply) => take(limiter, request, reply, { amount: 1, taken: 0 });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The quota of requests to the route. By default, the method decides. */
    quota?: 'exports';
  }
}

/** Makes the check that counts an export as one, another GET as a read, and any other request as a write. */
export function limitByMethod(
  limiters: Record<'reads' | 'writes' | 'exports', RateLimiter>,
): Check {
  return (request, reply) => {
    const isRead = SAFE_METHODS.has(request.method);
    const { quota = isRead ? 'reads' : 'writes' } = request.routeOptions.config;
    return take(limiters[quota], request, reply, { amount: 1, taken: 0 });
  };
}

/** Finds the limit of the caller: that of the operator, or the API key's own if it is lower. */
function findLimit({ quota: { name, limit } }: RateLimiter, request: FastifyRequest): number {
  return Math.min(limit, getPrincipal(request).rateLimits?.[name as RateName] ?? Infinity);
}

/** Finds the limits of a caller: for each, that of the operator or the API key's own, whichever is lower. Null means no limit. */
export function findRateLimits({ rateLimits }: Principal, operators: CallerLimits): CallerLimits {
  const choose = (name: RateName): number | null => {
    const limits = [operators[name], rateLimits?.[name] ?? null].filter((each) => each !== null);
    return limits.length === 0 ? null : Math.min(...limits);
  };
  return {
    reads: choose('reads'),
    imports: choose('imports'),
    writes: choose('writes'),
    exports: operators.exports,
  };
}

/**
 * Takes `count` requests from the quota for one request, such as a batch. `limitRequests` has already taken one, so this function
 * takes the others. Throws a 429 when the quota was used up before this request.
 */
export async function limitAmount(
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  count: number,
): Promise<void> {
  if (count > 1) await take(limiter, request, reply, { amount: count - 1, taken: 1 });
}

function take(
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  { amount, taken }: { amount: number; taken: number },
): void | Promise<void> {
  const limit = findLimit(limiter, request);
  if (limit === Infinity) return;
  const { actor } = getPrincipal(request);
  const { name } = limiter.quota;
  return whenReady(limiter.take(actor.id, amount, taken, limit), (use) => {
    // The fields of draft-ietf-httpapi-ratelimit-headers-11.
    reply.header('ratelimit-policy', `"${name}";q=${limit};w=60`);
    reply.header('ratelimit', `"${name}";r=${use.left};t=${toSeconds(use.resetMs)}`);
    if (!use.isAllowed) throw makeOverLimit(actor, { name, limit }, use);
  });
}

function makeOverLimit(
  { type }: Principal['actor'],
  { name, limit }: Quota,
  taken: QuotaUse,
): Problem {
  const caller = type === 'user' ? 'You' : 'This API key';
  const left = toSeconds(taken.resetMs);
  const advice = `try again in ${left} ${left === 1 ? 'second' : 'seconds'}`;
  return rateLimited(`${caller} may make ${limit} ${name} a minute; ${advice}.`, taken);
}

/** Makes the 429 that asks the client to try again after `resetMs`. */
export function rateLimited(detail: string, { resetMs }: Pick<QuotaUse, 'resetMs'>): Problem {
  return new Problem('rate_limited', detail, {
    headers: { 'retry-after': String(toSeconds(resetMs)) },
  });
}

function toSeconds(ms: number): number {
  return Math.max(Math.ceil(ms / 1000), 1);
}
