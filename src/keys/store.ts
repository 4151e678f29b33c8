import sql, { raw } from 'sql-template-tag';
import { selectActorName, type Access, type RateLimits, type Scope } from '../access/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';

/** A stored API key, as the commands show it. Its text is not stored. */
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
  /** The last four characters of its text; null for a key from before they were stored. */
  lastFour: string | null;
}

/** The hash of the text of a key, and its last four characters. */
export interface HashedText {
  keySha256: Buffer;
  lastFour: string;
}

/** The maker of a key. The operator's command has no id. */
interface Creator {
  type: 'user' | 'key' | 'system';
  id: string | null;
}

type NewApiKey = Pick<ApiKey, 'id' | 'name' | 'access' | 'scopes' | 'createdAt' | 'expiresAt'> &
  HashedText & { createdBy: Creator; rateLimits: RateLimits };

type UsableKey = Pick<ApiKey, 'id' | 'name' | 'access' | 'scopes' | 'lastUsedAt' | 'expiresAt'> & {
  rateLimits: RateLimits;
  /** For the former text of a rotated key, the time until which it is valid; null for the current text. */
  previousUntil: Date | null;
};

const RATE_LIMITS = raw(`json_build_object('reads', reads_per_minute, 'imports', imports_per_minute,
  'writes', writes_per_minute) as "rateLimits"`);

/** Finds a usable key by the hash of its text, or of its former text after a rotation. */
export async function findUsableKey(
  db: Queryable,
  accountId: string,
  keySha256: Buffer,
  now: Date,
): Promise<UsableKey | undefined> {
  const columns = raw(`id, name, access, scopes, last_used_at as "lastUsedAt",
    expires_at as "expiresAt", expires_at, revoked_at, ${RATE_LIMITS.text}`);
  const [row] = await query<UsableKey>(
    db,
    'api_key_look_up',
    sql`select id, name, access, scopes, "lastUsedAt", "expiresAt", "rateLimits", "previousUntil"
      from (
          select ${columns}, null::timestamptz(3) as "previousUntil" from api_keys
          where account_id = ${accountId} and key_sha256 = ${keySha256}
          union all
          select ${columns}, previous_until from api_keys
          where account_id = ${accountId} and previous_sha256 = ${keySha256} and previous_until > ${now}
        ) keys
      where revoked_at is null and (expires_at is null or expires_at > ${now})`,
  );
  return row;
}

/** Stores the time of the last use, unless a later one is stored. */
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
  const { reads, imports, writes } = key.rateLimits;
  await query(
    db,
    'api_key_insert',
    sql`insert into api_keys (account_id, id, name, access, scopes, key_sha256, created_at, expires_at, last_four,
        created_by_type, created_by_id, reads_per_minute, imports_per_minute, writes_per_minute)
      values (${accountId}, ${key.id}, ${key.name}, ${key.access}, ${key.scopes}::text[], ${key.keySha256}, ${key.createdAt},
        ${key.expiresAt}, ${key.lastFour}, ${key.createdBy.type}, ${key.createdBy.id}, ${reads}, ${imports}, ${writes})`,
  );
}

/** Lists all keys of an account, the oldest first, with expired and revoked ones. */
export async function listKeys(db: Queryable, accountId: string): Promise<ApiKey[]> {
  return query<ApiKey>(
    db,
    'api_key_list',
    sql`select ${COLUMNS} from api_keys where account_id = ${accountId} order by id`,
  );
}

/** Finds a key by its hash, even if it is revoked or expired, with the slug of its account. */
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
      where api_keys.account_id = ${accountId} and (key_sha256 = ${keySha256} or previous_sha256 = ${keySha256})`,
  );
  return row;
}

const COLUMNS =
  raw(`id, name, access, scopes, created_at as "createdAt", last_used_at as "lastUsedAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_four as "lastFour"`);

/** A stored key with its maker, its limits and its former text. */
export interface DetailedKey extends ApiKey {
  version: number;
  creator: Creator;
  /** Null for the operator's command, and for a person or key that was deleted. */
  creatorName: string | null;
  rateLimits: RateLimits;
  previousLastFour: string | null;
  previousUntil: Date | null;
}

const selectDetails = (accountId: string) => sql`${COLUMNS}, version, ${RATE_LIMITS},
  json_build_object('type', created_by_type, 'id', created_by_id) as creator,
  ${selectActorName(accountId, sql`api_keys.created_by_id`)} as "creatorName",
  previous_last_four as "previousLastFour", previous_until as "previousUntil"`;

/** Lists all keys of an account with their details. */
export function listDetailedKeys(db: Queryable, accountId: string): Promise<DetailedKey[]> {
  return query<DetailedKey>(
    db,
    'api_key_list_detailed',
    sql`select ${selectDetails(accountId)} from api_keys where account_id = ${accountId}`,
  );
}

export async function findDetailedKey(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DetailedKey | undefined> {
  const [key] = await findDetailedKeys(db, accountId, [id]);
  return key;
}

/** Finds keys with the names of their authors. Unknown ids have no entry. */
export function findDetailedKeys(
  db: Queryable,
  accountId: string,
  ids: string[],
): Promise<DetailedKey[]> {
  return query<DetailedKey>(
    db,
    'api_keys_find_detailed',
    sql`select ${selectDetails(accountId)} from api_keys where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

/** Counts the usable keys of an account. */
export async function countUsableKeys(
  tx: Queryable,
  accountId: string,
  now: Date,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'api_key_count_usable',
    sql`select count(*)::int as count from api_keys
      where account_id = ${accountId} and revoked_at is null
        and (expires_at is null or expires_at > ${now})`,
  );
  return row?.count ?? 0;
}

/** Stores the changeable fields of a key. */
export async function updateKey(
  tx: Queryable,
  accountId: string,
  {
    id,
    name,
    expiresAt,
    rateLimits,
  }: Pick<DetailedKey, 'id' | 'name' | 'expiresAt' | 'rateLimits'>,
): Promise<void> {
  const { reads, imports, writes } = rateLimits;
  await query(
    tx,
    'api_key_update',
    sql`update api_keys set version = version + 1, name = ${name}, expires_at = ${expiresAt},
        reads_per_minute = ${reads}, imports_per_minute = ${imports}, writes_per_minute = ${writes}
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Gives a key a new text. The former one works until the given time. */
export async function replaceText(
  tx: Queryable,
  accountId: string,
  id: string,
  { keySha256, lastFour }: HashedText,
  previousUntil: Date,
): Promise<void> {
  await query(
    tx,
    'api_key_rotate',
    sql`update api_keys set version = version + 1, key_sha256 = ${keySha256}, last_four = ${lastFour},
        previous_sha256 = key_sha256, previous_last_four = last_four, previous_until = ${previousUntil}
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Marks a key as revoked. Returns false when the account has no such key, or it is revoked already. */
export async function markKeyRevoked(
  tx: Queryable,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<boolean> {
  const rows = await query(
    tx,
    'api_key_revoke',
    sql`update api_keys set revoked_at = ${now}, version = version + 1
      where account_id = ${accountId} and id = ${keyId} and revoked_at is null returning id`,
  );
  return rows.length > 0;
}

/** Revokes all keys of an account. */
export async function revokeKeys(db: Queryable, accountId: string, now: Date): Promise<void> {
  await query(
    db,
    'api_keys_revoke_all',
    sql`update api_keys set revoked_at = ${now}
      where account_id = ${accountId} and revoked_at is null`,
  );
}
