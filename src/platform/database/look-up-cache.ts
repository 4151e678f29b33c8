import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** How long a cache keeps the result of a look-up, and so how long a change by another process may take to have effect. */
const TTL_MS = 250;
const MAX_ENTRIES = 10_000;

/** Waits until the caches of all processes have expired what they found before. */
export const waitForLookUpCaches = (): Promise<void> => sleep(TTL_MS);

interface LookUpContext<Context> {
  context: Context;
  /** Whether an earlier look-up found the key. */
  wasFound: boolean;
}

/**
 * Creates a cache of look-ups in the database. Callers that ask for the same key at the same time share one look-up. The
 * cache does not store that a key was not found. After `clear`, the next callers ask the database; a look-up that is
 * running still answers its callers, and the cache does not store its result.
 */
export function createLookUpCache<Value extends object | number, Context = unknown>(
  lookUp: (key: string, context: LookUpContext<Context>) => Promise<Value | undefined>,
): LRUCache<string, Value, Context> {
  return new LRUCache<string, Value, Context>({
    // With `max` the cache would allocate its arrays for all entries at once.
    maxSize: MAX_ENTRIES,
    sizeCalculation: () => 1,
    ttl: TTL_MS,
    ttlResolution: 0,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    async fetchMethod(key, expired, { options, context }) {
      const startedMs = performance.now();
      const value = await lookUp(key, { context, wasFound: expired !== undefined });
      // The look-up may have read the state at its start, so count the age from there.
      options.ttl = Math.max(TTL_MS - (performance.now() - startedMs), 1);
      return value;
    },
  });
}
