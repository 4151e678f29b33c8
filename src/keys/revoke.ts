import type { Queryable } from '../platform/database/index.ts';
import { forgetKeys } from './memory.ts';
import { markKeyRevoked } from './store.ts';

/** Ends an API key; this process refuses it at once. False when the account has no such key. */
export function revokeKey(db: Queryable, accountId: string, keyId: string): Promise<boolean> {
  // Even when it fails: its outcome is not known when the connection broke.
  return markKeyRevoked(db, accountId, keyId, new Date()).finally(() => forgetKeys(db));
}
