import type { Logger } from 'pino';
import type { Config } from '../../config/index.ts';
import { loggable } from '../log.ts';
import type { Server } from '../server.ts';
import type { Counter, Quota } from './counter.ts';
import { createMemoryCounter } from './memory.ts';

export interface Limits {
  /** Of an API key; null without a limit. */
  reads: Counter | null;
  imports: Counter | null;
  /** Of an address: requests without a valid key. */
  failures: Counter;
}

type Settings = Pick<Config, 'rateLimitReads' | 'rateLimitImports' | 'redisUrl'>;

const FAILURES_PER_MINUTE = 60;

/** The limits of the settings, counted in memory, or in Redis for all processes together. */
export async function createLimits(
  server: Server,
  { rateLimitReads, rateLimitImports, redisUrl }: Settings,
  logger: Logger,
): Promise<Limits> {
  const counterOf =
    redisUrl === null ? createMemoryCounter : await redisCounters(server, redisUrl, logger);
  const limit = (name: Quota['name'], perMinute: number | null): Counter | null =>
    perMinute === null ? null : counterOf({ name, perMinute });
  return {
    reads: limit('reads', rateLimitReads),
    imports: limit('imports', rateLimitImports),
    failures: counterOf({ name: 'failures', perMinute: FAILURES_PER_MINUTE }),
  };
}

async function redisCounters(
  server: Server,
  url: string,
  logger: Logger,
): Promise<(quota: Quota) => Counter> {
  // Its driver is loaded by those who have a Redis.
  const { openRedisCounters } = await import('./redis.ts');
  const { counterOf, close } = openRedisCounters(url, {
    onLost: (error) =>
      logger.warn(loggable(error), 'Redis does not answer; limits are counted here alone'),
    onBack: () => logger.info('Redis answers; limits are counted there again'),
  });
  server.addHook('onClose', async () => close());
  return counterOf;
}
