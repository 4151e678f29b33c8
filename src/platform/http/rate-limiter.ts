import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import type { Quota, RateLimiter } from './quota.ts';
import type { Server } from './server.ts';

/** The most requests without a valid key from one address in a minute. */
const FAILURES_PER_MINUTE = 60;

/** Wrong passwords, codes and links, by the quota that counts them. */
const ATTEMPTS = {
  /** For one person from one address. */
  person: { name: 'attempts-person', limit: 10, minutes: 15 },
  /** From one address. */
  address: { name: 'attempts-address', limit: 60, minutes: 15 },
  /** For one person from all addresses, except those where they signed in before. */
  email: { name: 'attempts-email', limit: 100, minutes: 60 },
} as const;

/** The limiters of wrong passwords, codes and links. */
export type AttemptLimiters = Record<keyof typeof ATTEMPTS, RateLimiter>;

/** The limiters of the service, each of which counts one kind of request. */
export interface RateLimiters {
  /** Per API key or person. */
  reads: RateLimiter;
  imports: RateLimiter;
  writes: RateLimiter;
  exports: RateLimiter;
  /** Per address: requests without a valid key. */
  failures: RateLimiter;
  attempts: AttemptLimiters;
}

type Settings = Pick<
  Config,
  'readsPerMinute' | 'importsPerMinute' | 'writesPerMinute' | 'exportsPerMinute' | 'redisUrl'
>;

/** Creates the limiters of the settings. They count in memory, or in Redis for all processes together. */
export async function createRateLimiters(
  server: Server,
  { readsPerMinute, importsPerMinute, writesPerMinute, exportsPerMinute, redisUrl }: Settings,
  logger: Logger,
): Promise<RateLimiters> {
  const createLimiter =
    redisUrl === null ? createMemoryLimiter : await connectLimiters(server, redisUrl, logger);
  const create = (name: Quota['name'], limit: number | null): RateLimiter =>
    createLimiter({ name, limit: limit ?? Infinity });
  return {
    reads: create('reads', readsPerMinute),
    imports: create('imports', importsPerMinute),
    writes: create('writes', writesPerMinute),
    exports: create('exports', exportsPerMinute),
    failures: createLimiter({ name: 'failures', limit: FAILURES_PER_MINUTE }),
    attempts: {
      person: createLimiter(ATTEMPTS.person),
      address: createLimiter(ATTEMPTS.address),
      email: createLimiter(ATTEMPTS.email),
    },
  };
}

async function connectLimiters(server: Server, redisUrl: string, logger: Logger) {
  // Only installations with a Redis load its driver.
  const { connectRedis } = await import('./redis-limiter.ts');
  const { createRedisLimiter, close } = await connectRedis(redisUrl, logger);
  server.addHook('onClose', async () => close());
  return createRedisLimiter;
}
