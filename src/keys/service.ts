import type { Access, Scope } from '../access/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { newId } from '../platform/text/index.ts';
import { createKeyText, hashKey, readAccountId } from './key-text.ts';
import type { KeyCache } from './look-up.ts';
import { findKeyByHash, insertKey, markKeyRevoked, type ApiKey } from './store.ts';

/** So many characters of a key are stored, to tell it from others; they are part of its checksum, not of its secret. */
const LAST_CHARACTERS = 4;

/** A key to make: it has either an access or scopes. */
type NewKey = { name: string; expiresAt?: Date | null } & (
  | { access: Access; scopes?: null }
  | { access?: null; scopes: Scope[] }
);

/** Makes an API key for an account and returns its text, which is shown once and stored nowhere. */
export async function issueKey(
  db: Queryable,
  accountId: string,
  { name, access = null, scopes = null, expiresAt = null }: NewKey,
): Promise<string> {
  const key = createKeyText(accountId);
  await insertKey(db, accountId, {
    id: newId(),
    name,
    access,
    scopes,
    keySha256: hashKey(key),
    lastFour: key.slice(-LAST_CHARACTERS),
    createdAt: new Date(),
    expiresAt,
  });
  return key;
}

/**
 * Finds the API key with this text, also one that is revoked or expired, with the slug of its account. Returns null for a
 * text that cannot be a key, such as a mistyped one.
 */
export async function findKeyByText(
  db: Queryable,
  key: string,
): Promise<(ApiKey & { account: string }) | undefined | null> {
  const accountId = readAccountId(key);
  return accountId === null ? null : findKeyByHash(db, accountId, hashKey(key));
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
