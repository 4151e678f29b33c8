import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import type { Quota, RateLimiter } from './quota.ts';
import type { Server } from './server.ts';

/** Requests without a valid key that one address may send in a minute. */
const FAILURES_PER_MINUTE = 60;

export interface RateLimiters {
  /** Per API key; null without a limit. */
  reads: RateLimiter | null;
  imports: RateLimiter | null;
  /** Per address: requests without a valid key. */
  failures: RateLimiter;
}

type Settings = Pick<Config, 'readsPerMinute' | 'importsPerMinute' | 'redisUrl'>;

/** Creates the limiters of the settings. They count in memory, or in Redis for all processes together. */
export async function createRateLimiters(
  server: Server,
  { readsPerMinute, importsPerMinute, redisUrl }: Settings,
  logger: Logger,
): Promise<RateLimiters> {
  const createLimiter =
    redisUrl === null ? createMemoryLimiter : await connectLimiters(server, redisUrl, logger);
  const limit = (name: Quota['name'], perMinute: number | null): RateLimiter | null =>
    perMinute === null ? null : createLimiter({ name, perMinute });
  return {
    reads: limit('reads', readsPerMinute),
    imports: limit('imports', importsPerMinute),
    failures: createLimiter({ name: 'failures', perMinute: FAILURES_PER_MINUTE }),
  };
}

async function connectLimiters(server: Server, redisUrl: string, logger: Logger) {
  // Only installations with a Redis load its driver.
  const { connectRedis } = await import('./redis-limiter.ts');
  const { createRedisLimiter, close } = connectRedis(redisUrl, logger);
  server.addHook('onClose', async () => close());
  return createRedisLimiter;
}
