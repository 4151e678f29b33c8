import { LRUCache } from 'lru-cache';
import { principalOfKey, type FindPrincipal, type Principal } from '../access/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { networkOf } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import { accountOfKey, hashKey } from './key-text.ts';
import { findUsableKey, markKeyUsed } from './store.ts';

/** A look-up is used this long. Another process's revocation takes effect within it. */
const CACHED_MS = 250;
const CACHED_KEYS_MAX = 10_000;
const LAST_USED_PRECISION_MS = 60_000;
/** Look-ups of keys that were not valid before share these slots by the network of the client. */
const UNKNOWN_KEYS = { slots: 2, slotsPerAccount: 1 };

/** The API keys that this process found valid a moment ago. Requests that wait for the same key share its look-up. */
export interface KeyCache {
  find: FindPrincipal;
  recall(key: string): Principal | undefined;
  /** Makes the next request with any key ask the database. A look-up that is under way is not cached. */
  clear(): void;
}

export function createKeyCache(db: Queryable, onError: (error: unknown) => void): KeyCache {
  const runFair = createFairQueue(UNKNOWN_KEYS);
  const cache = new LRUCache<string, Principal, string>({
    max: CACHED_KEYS_MAX,
    ttl: CACHED_MS,
    ttlResolution: 0,
    noDeleteOnStaleGet: true,
    // `clear` aborts the look-ups under way. Their requests still get the answer.
    ignoreFetchAbort: true,
    async fetchMethod(key, expired, { options, context: address }) {
      const accountId = accountOfKey(key);
      if (accountId === null) return undefined;
      async function lookUp(id: string): Promise<Principal | undefined> {
        const startedMs = performance.now();
        const principal = await findPrincipal(id, key);
        // A look-up may return the state at its start, so it ages from there.
        options.ttl = Math.max(CACHED_MS - (performance.now() - startedMs), 1);
        return principal;
      }
      // Anybody can make up a well-formed key and send thousands at once. A key that was valid does not wait for these.
      return expired === undefined
        ? runFair(networkOf(address), () => lookUp(accountId))
        : lookUp(accountId);
    },
  });

  async function findPrincipal(accountId: string, key: string): Promise<Principal | undefined> {
    const now = new Date();
    const found = await findUsableKey(db, accountId, hashKey(key), now);
    if (found === undefined) return undefined;
    const { id, lastUsedAt } = found;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_PRECISION_MS)
      markKeyUsed(db, accountId, id, now).catch(onError);
    return principalOfKey({ ...found, accountId });
  }

  return {
    find: (key, address) => cache.fetch(key, { context: address }),
    recall: (key) => cache.get(key),
    clear: () => cache.clear(),
  };
}
