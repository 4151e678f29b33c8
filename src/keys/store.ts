import sql, { raw } from 'sql-template-tag';
import type { Access, Scope } from '../access/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';

/** An API key as operators see it; its text is not stored. */
export interface ApiKey {
  id: string;
  name: string;
  /** Null when the key has scopes. */
  access: Access | null;
  /** Null when the key has an access. */
  scopes: Scope[] | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The last four characters of its text; null for a key that was made before they were stored. */
  lastFour: string | null;
}

type NewApiKey = Omit<ApiKey, 'lastUsedAt' | 'revokedAt'> & { keySha256: Buffer };

type UsableKey = Pick<ApiKey, 'id' | 'name' | 'access' | 'scopes' | 'lastUsedAt' | 'expiresAt'>;

/** Finds a key by its hash; undefined when there is none, or when it is revoked or expired. */
export async function findUsableKey(
  db: Queryable,
  accountId: string,
  keySha256: Buffer,
  now: Date,
): Promise<UsableKey | undefined> {
  const [row] = await query<UsableKey>(
    db,
    'api_key_look_up',
    sql`select id, name, access, scopes, last_used_at as "lastUsedAt", expires_at as "expiresAt" from api_keys
      where account_id = ${accountId} and key_sha256 = ${keySha256}
        and revoked_at is null and (expires_at is null or expires_at > ${now})`,
  );
  return row;
}

export async function markKeyUsed(
  db: Queryable,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<void> {
  await query(
    db,
    'api_key_mark_used',
    sql`update api_keys set last_used_at = ${now}
      where account_id = ${accountId} and id = ${keyId}
        and (last_used_at is null or last_used_at < ${now})`,
  );
}

export async function insertKey(db: Queryable, accountId: string, key: NewApiKey): Promise<void> {
  await query(
    db,
    'api_key_insert',
    sql`insert into api_keys (account_id, id, name, access, scopes, key_sha256, created_at, expires_at, last_four)
      values (${accountId}, ${key.id}, ${key.name}, ${key.access}, ${key.scopes}::text[], ${key.keySha256}, ${key.createdAt},
        ${key.expiresAt}, ${key.lastFour})`,
  );
}

export async function listKeys(db: Queryable, accountId: string): Promise<ApiKey[]> {
  return query<ApiKey>(
    db,
    'api_key_list',
    sql`select ${COLUMNS} from api_keys where account_id = ${accountId} order by id`,
  );
}

/** Finds a key by its hash, also one that is revoked or expired, with the slug of its account. */
export async function findKeyByHash(
  db: Queryable,
  accountId: string,
  keySha256: Buffer,
): Promise<(ApiKey & { account: string }) | undefined> {
  const [row] = await query<ApiKey & { account: string }>(
    db,
    'api_key_find',
    sql`select account_slugs.slug as account, ${COLUMNS}
      from api_keys join account_slugs using (account_id)
      where account_id = ${accountId} and key_sha256 = ${keySha256}`,
  );
  return row;
}

const COLUMNS =
  raw(`id, name, access, scopes, created_at as "createdAt", last_used_at as "lastUsedAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_four as "lastFour"`);

/** Marks a key as revoked, unless it is already. False when the account has no such key. */
export async function markKeyRevoked(
  db: Queryable,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<boolean> {
  const rows = await query(
    db,
    'api_key_revoke',
    sql`update api_keys set revoked_at = coalesce(revoked_at, ${now})
      where account_id = ${accountId} and id = ${keyId} returning id`,
  );
  return rows.length > 0;
}

/** Ends all keys of an account. */
export async function revokeKeys(db: Queryable, accountId: string, now: Date): Promise<void> {
  await query(
    db,
    'api_keys_revoke_all',
    sql`update api_keys set revoked_at = ${now}
      where account_id = ${accountId} and revoked_at is null`,
  );
}
