import { randomBytes } from 'node:crypto';
import { newId } from '../platform/text/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { Access } from '../access/index.ts';
import { formatKey, hashKey } from './keys.ts';
import { insertKey } from './store.ts';

/** Makes an API key for an account and returns its text, which is shown once and stored nowhere. */
export async function issueKey(
  db: Queryable,
  accountId: string,
  { name, access, expiresAt = null }: { name: string; access: Access; expiresAt?: Date | null },
): Promise<string> {
  const key = formatKey(accountId, randomBytes(16));
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
