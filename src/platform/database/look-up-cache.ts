import { LRUCache } from 'lru-cache';

/** A look-up is used this long. A change by another process takes effect within it. */
const CACHED_MS = 250;
const CACHED_MAX = 10_000;

interface LookUpContext<Context> {
  context: Context;
  /** Whether an earlier look-up found the key. */
  wasFound: boolean;
}

/**
 * Makes a cache of look-ups in the database. Callers that wait for the same key share its look-up; a key that is not
 * found is not cached. `clear` makes the next callers ask the database: a look-up that is under way still
 * answers its callers, and is not cached.
 */
export function createLookUpCache<Value extends object | number, Context = unknown>(
  lookUp: (key: string, context: LookUpContext<Context>) => Promise<Value | undefined>,
): LRUCache<string, Value, Context> {
  return new LRUCache<string, Value, Context>({
    max: CACHED_MAX,
    ttl: CACHED_MS,
    ttlResolution: 0,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    async fetchMethod(key, expired, { options, context }) {
      const startedMs = performance.now();
      const value = await lookUp(key, { context, wasFound: expired !== undefined });
      // A look-up may return the state at its start, so it ages from there.
      options.ttl = Math.max(CACHED_MS - (performance.now() - startedMs), 1);
      return value;
    },
  });
}
