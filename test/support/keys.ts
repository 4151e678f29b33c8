import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { createKeyText } from './internals.ts';
import type { Pool } from '../../src/platform/database/index.ts';

/** A well-formed key that nobody has made. */
export function unknownKey(accountId = uuidv7()): string {
  return createKeyText(accountId);
}

/** The same key with its last character mistyped. */
export function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
}

/** The hash of a key as the database stores it. */
export function storedHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Stores a key for an account as it would be issued. */
export async function storeKey(db: Pool, accountId: string, key: string): Promise<void> {
  await db.query({
    name: '',
    text: `insert into api_keys (account_id, id, name, access, key_sha256, created_at)
      values ($1, $2, 'Website', 'read', $3, now())`,
    values: [accountId, uuidv7(), storedHash(key)],
  });
}

/** Changes one column of a stored key. */
export async function updateKey(
  db: Pool,
  key: string,
  column: 'last_used_at' | 'expires_at',
  value: Date,
): Promise<void> {
  await db.query({
    name: '',
    text: `update api_keys set ${column} = $1 where key_sha256 = $2`,
    values: [value, storedHash(key)],
  });
}

/** The id of a stored key. */
export async function keyIdOf(db: Pool, key: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: '',
    text: 'select id from api_keys where key_sha256 = $1',
    values: [storedHash(key)],
  });
  return rows[0]?.id ?? '';
}
