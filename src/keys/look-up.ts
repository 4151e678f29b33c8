import { createPrincipal, type FindPrincipal, type Principal } from '../access/index.ts';
import { createLookUpCache, type Queryable } from '../platform/database/index.ts';
import { getNetwork } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import { readAccountId, hashKey } from './key-text.ts';
import { findUsableKey, markKeyUsed } from './store.ts';

const LAST_USED_PRECISION_MS = 60_000;
/** The slots for look-ups of keys that no earlier look-up found, and how many of them one client network gets. */
const UNKNOWN_KEYS = { slots: 2, slotsPerAccount: 1 };

/** A key that the cache holds. It may have expired since. */
interface CachedKey {
  principal: Principal;
  expiresAtMs: number;
}

/** The API keys that this process found valid in the last 250 ms. */
export interface KeyCache {
  find: FindPrincipal;
  clear(): void;
}

export function createKeyCache(db: Queryable, onError: (error: unknown) => void): KeyCache {
  const runFair = createFairQueue(UNKNOWN_KEYS);
  const cache = createLookUpCache<CachedKey, string>(async (key, { context, wasFound }) => {
    const accountId = readAccountId(key);
    if (accountId === null) return undefined;
    const lookUp = (): Promise<CachedKey | undefined> => findKey(accountId, key);
    // Anybody can make up a well-formed key and send thousands at once. A key that was valid does not wait for these.
    return wasFound ? lookUp() : runFair(getNetwork(context), lookUp);
  });

  async function findKey(accountId: string, key: string): Promise<CachedKey | undefined> {
    const now = new Date();
    const found = await findUsableKey(db, accountId, hashKey(key), now);
    if (found === undefined) return undefined;
    const { id, lastUsedAt, expiresAt } = found;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_PRECISION_MS)
      markKeyUsed(db, accountId, id, now).catch(onError);
    return {
      principal: createPrincipal({ ...found, accountId }),
      expiresAtMs: expiresAt?.getTime() ?? Infinity,
    };
  }

  async function fetchKey(key: string, address: string): Promise<CachedKey | undefined> {
    return cache.fetch(key, { context: address }).catch((error: unknown) => {
      // The cache rejects a look-up that found nothing when it was cleared meanwhile.
      if (error instanceof Error && error.message === 'deleted') return undefined;
      throw error;
    });
  }

  return {
    find: (key, address) => {
      const cached = cache.get(key);
      return cached ? toPrincipal(cached) : fetchKey(key, address).then(toPrincipal);
    },
    clear: () => cache.clear(),
  };
}

/** Returns nothing from the moment at which the key expires. */
function toPrincipal(found: CachedKey | undefined): Principal | undefined {
  return found !== undefined && Date.now() < found.expiresAtMs ? found.principal : undefined;
}
