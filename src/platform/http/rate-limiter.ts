import type { Logger } from 'pino';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Config } from '../config/index.ts';
import { connectRedis } from './redis.ts';
import type { Server } from './server.ts';

const MINUTE_S = 60;
/** Requests without a valid key that one address may send in a minute. */
const FAILURES_PER_MINUTE = 60;

/** How much a client may do in a minute. */
export interface Quota {
  /** The name in the header fields, and in the keys in Redis. */
  name: 'reads' | 'imports' | 'failures';
  perMinute: number;
}

export interface Taken {
  isAllowed: boolean;
  /** How much is left of the quota until it begins anew. */
  left: number;
  resetMs: number;
}

/**
 * Counts how much clients take of a quota. The minute of a client begins with its first request. A client with anything left
 * may take any amount, so that a batch larger than the quota is possible; the excess is paid off by as many minutes more.
 */
export interface RateLimiter {
  quota: Quota;
  /** `taken` is the part that this request has taken before: it is not refused for that. */
  take: (client: string, amount: number, taken?: number) => Promise<Taken>;
}

export interface RateLimiters {
  /** Per API key; null without a limit. */
  reads: RateLimiter | null;
  imports: RateLimiter | null;
  /** Per address: requests without a valid key. */
  failures: RateLimiter;
}

type Settings = Pick<Config, 'rateLimitReads' | 'rateLimitImports' | 'redisUrl'>;

/** Creates the limiters of the settings. They count in memory, or in Redis for all processes together. */
export async function createRateLimiters(
  server: Server,
  { rateLimitReads, rateLimitImports, redisUrl }: Settings,
  logger: Logger,
): Promise<RateLimiters> {
  const redis = redisUrl === null ? null : await connectRedis(redisUrl, logger);
  if (redis !== null) server.addHook('onClose', async () => redis.destroy());

  function counterOf({ name, perMinute }: Quota): RateLimiterAbstract {
    const options = { keyPrefix: `offplan:${name}`, points: perMinute, duration: MINUTE_S };
    const memory = new RateLimiterMemory(options);
    if (redis === null) return memory;
    return new RateLimiterRedis({
      ...options,
      storeClient: redis,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      // While Redis does not answer, this process counts by itself.
      insuranceLimiter: memory,
    });
  }

  const limiterOf = (quota: Quota): RateLimiter => createRateLimiter(quota, counterOf(quota));
  return {
    reads: rateLimitReads && limiterOf({ name: 'reads', perMinute: rateLimitReads }),
    imports: rateLimitImports && limiterOf({ name: 'imports', perMinute: rateLimitImports }),
    failures: limiterOf({ name: 'failures', perMinute: FAILURES_PER_MINUTE }),
  } as RateLimiters;
}

/** Makes a limiter of a counter that knows nothing of batches larger than the quota. */
function createRateLimiter(quota: Quota, counter: RateLimiterAbstract): RateLimiter {
  const { perMinute } = quota;
  const minutesOf = (amount: number): number => Math.max(Math.ceil(amount / perMinute), 1);
  return {
    quota,
    async take(client, amount, taken = 0) {
      // One step in Redis, too: of several requests at once each sees another count before its own.
      const { consumedPoints: after, msBeforeNext } = await counter.penalty(client, amount);
      const before = after - amount;
      const isAllowed = before - taken < perMinute;
      const moreMinutes = isAllowed ? minutesOf(after) - minutesOf(before) : 0;
      const resetMs = msBeforeNext + moreMinutes * MINUTE_S * 1_000;
      if (moreMinutes > 0) await counter.set(client, after, Math.ceil(resetMs / 1_000));
      return { isAllowed, left: Math.max(perMinute - after, 0), resetMs };
    },
  };
}
