import type { Access } from '../access/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { newId } from '../platform/text/index.ts';
import { createKeyText, hashKey } from './key-text.ts';
import type { KeyCache } from './look-up.ts';
import { insertKey, markKeyRevoked } from './store.ts';

/** Makes an API key for an account and returns its text, which is shown once and stored nowhere. */
export async function issueKey(
  db: Queryable,
  accountId: string,
  { name, access, expiresAt = null }: { name: string; access: Access; expiresAt?: Date | null },
): Promise<string> {
  const key = createKeyText(accountId);
  await insertKey(db, accountId, {
    id: newId(),
    name,
    access,
    keySha256: hashKey(key),
    createdAt: new Date(),
    expiresAt,
  });
  return key;
}

/**
 * Ends an API key. A process that answers requests passes its cache, and refuses the key at once; others refuse it when
 * their caches expire. False when the account has no such key.
 */
export async function revokeKey(
  db: Queryable,
  accountId: string,
  keyId: string,
  cache?: KeyCache,
): Promise<boolean> {
  try {
    return await markKeyRevoked(db, accountId, keyId, new Date());
  } finally {
    // Clear it after a failure, too: when the connection was lost, the key may be revoked.
    cache?.clear();
  }
}
