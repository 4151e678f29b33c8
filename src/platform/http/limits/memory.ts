import { LRUCache } from 'lru-cache';
import { MINUTE_MS, minutesOf, type Counter, type Quota } from './counter.ts';

/** Who came longest ago is forgotten, so that many clients do not fill the memory. */
const CLIENTS_MAX = 20_000;

interface Window {
  taken: number;
  endsMs: number;
}

/** Counts in the memory of this process. */
export function createMemoryCounter(quota: Quota, now = () => performance.now()): Counter {
  const windows = new LRUCache<string, Window>({ max: CLIENTS_MAX });
  // With fractions a minute can be a little more than a minute, and be told as 61 seconds.
  const wholeMs = (): number => Math.floor(now());

  function windowOf(client: string, nowMs: number): Window {
    const known = windows.get(client);
    if (known !== undefined && known.endsMs > nowMs) return known;
    return { taken: 0, endsMs: nowMs + MINUTE_MS };
  }

  return {
    quota,
    take(client, amount, held = 0) {
      const nowMs = wholeMs();
      const window = windowOf(client, nowMs);
      const isAllowed = window.taken - held < quota.perMinute;
      if (isAllowed) {
        const before = minutesOf(window.taken, quota);
        window.taken += amount;
        window.endsMs += (minutesOf(window.taken, quota) - before) * MINUTE_MS;
        windows.set(client, window);
      }
      const left = Math.max(quota.perMinute - window.taken, 0);
      return { isAllowed, left, resetMs: window.endsMs - nowMs };
    },
  };
}
