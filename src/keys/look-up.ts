import {
  createCredentialCache,
  createKeyPrincipal,
  type CredentialCache,
} from '../access/index.ts';
import type { FindPool } from '../platform/database/index.ts';
import { readAccountId, hashKey } from './key-text.ts';
import { findUsableKey, markKeyUsed } from './store.ts';

const LAST_USED_PRECISION_MS = 60_000;

/** The API keys that this process found valid in the last 250 ms. */
export type KeyCache = CredentialCache;

/** Creates the look-up of API keys. It stores the time of the last use at most once a minute, without waiting for it. */
export function createKeyCache(findPool: FindPool, onError: (error: unknown) => void): KeyCache {
  return createCredentialCache({
    readAccountId,
    lookUp: async (accountId, key) => {
      const db = await findPool(accountId);
      const now = new Date();
      const found = await findUsableKey(db, accountId, hashKey(key), now);
      if (found === undefined) return undefined;
      const { id, lastUsedAt, expiresAt, previousUntil } = found;
      if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_PRECISION_MS)
        markKeyUsed(db, accountId, id, now).catch(onError);
      return {
        principal: createKeyPrincipal({ ...found, accountId }),
        expiresAtMs: Math.min(
          ...[expiresAt, previousUntil].map((end) => end?.getTime() ?? Infinity),
        ),
      };
    },
  });
}
