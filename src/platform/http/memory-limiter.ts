import { LRUCache } from 'lru-cache';
import { countPeriods, getPeriodMs, type Quota, type RateLimiter } from './quota.ts';

/** When there are more, the least recent clients are evicted, so that requests from many addresses cannot fill the memory. */
const CLIENTS_MAX = 20_000;

/** Makes a limiter that counts in the memory of this process. */
export function createMemoryLimiter(quota: Quota, now = () => performance.now()): RateLimiter {
  const periodMs = getPeriodMs(quota);
  // With `max` the cache would allocate its arrays for all clients at once.
  const windows = new LRUCache<string, { count: number; endMs: number }>({
    maxSize: CLIENTS_MAX,
    sizeCalculation: () => 1,
  });
  return {
    quota,
    take(client, amount, taken = 0, limit = quota.limit) {
      // Round: with fractions, a minute could be reported as 61 seconds.
      const nowMs = Math.floor(now());
      let window = windows.get(client);
      if (window === undefined || window.endMs <= nowMs) {
        window = { count: 0, endMs: nowMs + periodMs };
        windows.set(client, window);
      }
      const isAllowed = window.count - taken < limit;
      if (isAllowed) {
        const periodsBefore = countPeriods(window.count, limit);
        window.count += amount;
        window.endMs += (countPeriods(window.count, limit) - periodsBefore) * periodMs;
      }
      const left = Math.max(limit - window.count, 0);
      return { isAllowed, left, resetMs: window.endMs - nowMs };
    },
    giveBack(client) {
      const window = windows.get(client);
      if (window !== undefined && window.count > 0) window.count -= 1;
    },
  };
}
