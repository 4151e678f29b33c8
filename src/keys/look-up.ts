import { createPrincipal, type FindPrincipal, type Principal } from '../access/index.ts';
import { createLookUpCache, type Queryable } from '../platform/database/index.ts';
import { getNetwork } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import { readAccountId, hashKey } from './key-text.ts';
import { findUsableKey, markKeyUsed } from './store.ts';

const LAST_USED_PRECISION_MS = 60_000;
/** The slots for look-ups of keys that no earlier look-up found, and how many of them one client network gets. */
const UNKNOWN_KEYS = { slots: 2, slotsPerAccount: 1 };

/** The API keys that this process found valid in the last 250 ms. */
export interface KeyCache {
  find: FindPrincipal;
  clear(): void;
}

export function createKeyCache(db: Queryable, onError: (error: unknown) => void): KeyCache {
  const runFair = createFairQueue(UNKNOWN_KEYS);
  const cache = createLookUpCache<Principal, string>(async (key, { context, wasFound }) => {
    const accountId = readAccountId(key);
    if (accountId === null) return undefined;
    const lookUp = (): Promise<Principal | undefined> => findPrincipal(accountId, key);
    // Anybody can make up a well-formed key and send thousands at once. A key that was valid does not wait for these.
    return wasFound ? lookUp() : runFair(getNetwork(context), lookUp);
  });

  async function findPrincipal(accountId: string, key: string): Promise<Principal | undefined> {
    const now = new Date();
    const found = await findUsableKey(db, accountId, hashKey(key), now);
    if (found === undefined) return undefined;
    const { id, lastUsedAt } = found;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_PRECISION_MS)
      markKeyUsed(db, accountId, id, now).catch(onError);
    return createPrincipal({ ...found, accountId });
  }

  return {
    find: (key, address) =>
      cache.get(key) ??
      cache.fetch(key, { context: address }).catch((error: unknown) => {
        // The cache rejects a look-up that found nothing when it was cleared meanwhile.
        if (error instanceof Error && error.message === 'deleted') return undefined;
        throw error;
      }),
    clear: () => cache.clear(),
  };
}
