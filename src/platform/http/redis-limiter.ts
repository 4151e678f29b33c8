import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { describeError } from './log.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import { countPeriods, getPeriodMs, type Quota, type RateLimiter, type QuotaUse } from './quota.ts';

/** A request waits for Redis at most this long. */
const ANSWER_TIMEOUT_MS = 250;
/** After an error, the limiters do not call Redis for this long. */
const BACK_OFF_MS = 1_000;
const CONNECT_TIMEOUT_MS = 1_000;
/**
 * The driver closes a connection on which nothing arrives for this long, and connects again. It is long because a start keeps a
 * process busy for a second.
 */
const SOCKET_TIMEOUT_MS = 5_000;
const PING_EVERY_MS = 1_000;
const RECONNECT_EVERY_MS = 1_000;

interface RedisLimiters {
  createRedisLimiter: (quota: Quota) => RateLimiter;
  close: () => void;
}

/**
 * Connects to Redis or Valkey, for limiters that all processes share. Waits until Redis is ready, so that the first requests are
 * counted there, but at most a second, or until the first attempt fails. Further attempts go on in the background.
 */
export async function connectRedis(url: string, logger: Logger): Promise<RedisLimiters> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_EVERY_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: RECONNECT_EVERY_MS,
    },
  });
  let isLost = false;
  let backOffEndMs = 0;

  function noteLost(error: unknown): void {
    backOffEndMs = performance.now() + BACK_OFF_MS;
    if (!isLost)
      logger.warn(describeError(error), 'Redis does not answer; limits are counted here alone');
    isLost = true;
  }

  function noteAnswered(taken: QuotaUse): QuotaUse {
    if (isLost) logger.info('Redis answers; limits are counted there again');
    isLost = false;
    return taken;
  }

  const isTried = new Promise((resolve) => client.once('ready', resolve).once('error', resolve));
  client.on('error', noteLost);
  client.connect().catch(noteLost);
  await Promise.race([isTried, sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);

  /** Creates a limiter that counts in Redis, and in this process while Redis does not answer. */
  function createRedisLimiter(quota: Quota): RateLimiter {
    const memory = createMemoryLimiter(quota);
    const counter = countInRedis(client, quota);
    return {
      quota,
      async take(...taking) {
        if (!client.isReady || performance.now() < backOffEndMs) return memory.take(...taking);
        try {
          return noteAnswered(await waitFor(counter.take(...taking)));
        } catch (error) {
          noteLost(error);
          return memory.take(...taking);
        }
      },
      async giveBack(name) {
        await memory.giveBack(name);
        if (client.isReady) await waitFor(counter.giveBack(name)).catch(noteLost);
      },
    };
  }

  return { createRedisLimiter, close: () => void (client.isOpen && client.destroy()) };
}

function countInRedis(storeClient: unknown, quota: Quota) {
  const { name } = quota;
  const periodMs = getPeriodMs(quota);
  const counter = new RateLimiterRedis({
    storeClient,
    useRedisPackage: true,
    keyPrefix: `offplan:${name}`,
    // The limit is checked below, since a client can have a limit of its own.
    points: 1,
    duration: periodMs / 1_000,
  });
  async function take(
    client: string,
    amount: number,
    taken = 0,
    limit = quota.limit,
  ): Promise<QuotaUse> {
    // One atomic step: each of several concurrent requests gets another count.
    const { consumedPoints: count, msBeforeNext } = await counter.penalty(client, amount);
    const before = count - amount;
    if (before - taken >= limit) {
      // A refused request does not count.
      await counter.reward(client, amount);
      return { isAllowed: false, left: 0, resetMs: msBeforeNext };
    }
    const periods = countPeriods(count, limit) - countPeriods(before, limit);
    const resetMs = msBeforeNext + periods * periodMs;
    if (periods > 0) await counter.set(client, count, Math.ceil(resetMs / 1_000));
    return { isAllowed: true, left: Math.max(limit - count, 0), resetMs };
  }
  return { take, giveBack: async (client: string) => void (await counter.reward(client, 1)) };
}

/**
 * Rejects when an answer is late, since the driver would wait as long as the connection is open. When this process was busy until
 * after that time, an answer that has arrived meanwhile still counts: the timer runs before the socket is read.
 */
async function waitFor<T>(answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`Redis has not answered within ${ANSWER_TIMEOUT_MS} ms`);
  using _timer = setTimeout(() => setImmediate(reject, error), ANSWER_TIMEOUT_MS);
  return await Promise.race([answer, late]);
}
