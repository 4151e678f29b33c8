import sql, { empty, type Sql } from 'sql-template-tag';
import { query, queryOnce, readSort, type Queryable } from '../platform/database/index.ts';
import { countRows, cursorInvalid, type ListQuery } from '../platform/http/index.ts';
import { NIL_ID, isWrittenInstant } from '../platform/text/index.ts';
import type { PictureFile } from './rules.ts';
import type { PictureFilter } from './schemas.ts';
import { selectUsedKeys } from './uses.ts';

/** A picture as it is stored. */
export interface StoredPicture extends PictureFile {
  bytes: number;
  width: number;
  height: number;
  createdAt: Date;
}

const COLUMNS = sql`media.account_id as "accountId", media.sha256, media.ext, media.bytes, media.width, media.height,
  media.created_at as "createdAt"`;

/** The SQL of the key of a picture. */
const KEY = sql`(media.account_id || '/' || media.sha256 || '.' || media.ext)`;

export async function findPicture(
  db: Queryable,
  accountId: string,
  sha256: string,
): Promise<StoredPicture | undefined> {
  const [row] = await query<StoredPicture>(
    db,
    'media_find',
    sql`select ${COLUMNS} from media where account_id = ${accountId} and sha256 = ${sha256}`,
  );
  return row;
}

/** Inserts a picture. Returns false when the account already has it, also when another transaction has just inserted it. */
export async function insertPicture(
  tx: Queryable,
  { accountId, sha256, ext, bytes, width, height, createdAt }: StoredPicture,
  { type, id }: { type: string; id: string },
): Promise<boolean> {
  const rows = await query(
    tx,
    'media_insert',
    sql`insert into media (account_id, sha256, ext, bytes, width, height, created_at, created_by_type, created_by_id)
      values (${accountId}, ${sha256}, ${ext}, ${bytes}, ${width}, ${height}, ${createdAt}, ${type}, ${id})
      on conflict (account_id, sha256) do nothing returning sha256`,
  );
  return rows.length > 0;
}

/** A picture that is locked. */
interface LockedPicture extends StoredPicture {
  /** When a sweep first found that nothing uses it; null when it was used then, or sent again since. */
  unusedSince: Date | null;
}

/** Locks a picture, so that no row gets a reference to it until the transaction ends. */
export async function lockPicture(
  tx: Queryable,
  accountId: string,
  sha256: string,
): Promise<LockedPicture | undefined> {
  const [row] = await query<LockedPicture>(
    tx,
    'media_lock',
    sql`select ${COLUMNS}, unused_since as "unusedSince" from media where account_id = ${accountId} and sha256 = ${sha256} for update`,
  );
  return row;
}

/** Deletes the row of a picture; its file stays. */
export async function deletePicture(
  tx: Queryable,
  { accountId, sha256 }: PictureFile,
): Promise<void> {
  await query(
    tx,
    'media_delete',
    sql`delete from media where account_id = ${accountId} and sha256 = ${sha256}`,
  );
}

/**
 * Locks pictures that a row will use, so that nobody deletes them until the transaction ends, and clears the time since which
 * nothing uses them. Returns the keys of those that exist.
 */
export async function lockKeys(
  tx: Queryable,
  accountId: string,
  hashes: string[],
): Promise<Set<string>> {
  const rows = await query<{ key: string }>(
    tx,
    'media_keys_lock',
    sql`select ${KEY} as key from media
      where account_id = ${accountId} and sha256 = any(${hashes}) order by sha256 for no key update`,
  );
  // Clear it now: a use that ends before the next sweep must start the time anew.
  await query(
    tx,
    'media_keys_keep',
    sql`update media set unused_since = null
      where account_id = ${accountId} and sha256 = any(${hashes}) and unused_since is not null`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** The size of a picture in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/** Reads the sizes of pictures, by their keys. */
export async function readSizes(
  db: Queryable,
  accountId: string,
  hashes: string[],
): Promise<Map<string, PictureSize>> {
  const rows = await query<PictureSize & { key: string }>(
    db,
    'media_sizes',
    sql`select ${KEY} as key, width, height from media
      where account_id = ${accountId} and sha256 = any(${hashes})`,
  );
  return new Map(rows.map(({ key, width, height }) => [key, { width, height }]));
}

/** Finds which of these files have no picture in the account. */
export async function findUnknownHashes(
  db: Queryable,
  accountId: string,
  hashes: string[],
): Promise<Set<string>> {
  const rows = await query<{ sha256: string }>(
    db,
    'media_hashes_unknown',
    sql`select sha256 from unnest(${hashes}::text[]) as files (sha256)
      where not exists (select from media where account_id = ${accountId} and media.sha256 = files.sha256)`,
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** Lists the files of all pictures of an account. */
export function listAllPictures(db: Queryable, accountId: string): Promise<PictureFile[]> {
  return query<PictureFile>(
    db,
    'media_all',
    sql`select account_id as "accountId", sha256, ext from media where account_id = ${accountId} order by sha256`,
  );
}

function matchesFilter(accountId: string, { unused }: PictureFilter): Sql {
  const ofAccount = sql`media.account_id = ${accountId}`;
  if (unused === undefined) return ofAccount;
  const isUsed = sql`exists (select from (${selectUsedKeys(accountId)}) used where used.key = ${KEY})`;
  return unused ? sql`${ofAccount} and not ${isUsed}` : sql`${ofAccount} and ${isUsed}`;
}

/** Returns the place of a picture in a list. The hash orders pictures of the same time. */
export const placeOf = ({ createdAt, sha256 }: StoredPicture) => ({
  value: `${createdAt.toISOString()} ${sha256}`,
  id: NIL_ID,
});

/** Lists pictures: one more than the limit if there are as many. */
export async function listPictures(
  lists: Queryable,
  accountId: string,
  { filter, sort, limit, after, isCounted }: ListQuery<PictureFilter>,
): Promise<{ rows: StoredPicture[]; count?: number | undefined }> {
  const where = matchesFilter(accountId, filter);
  const [time = '', hash = ''] = String(after?.value).split(' ');
  if (after !== null && !isWrittenInstant(time)) throw cursorInvalid();
  const { direction, sign } = readSort(sort);
  const isAfter =
    after === null ? empty : sql`and (media.created_at, media.sha256) ${sign} (${time}, ${hash})`;
  const rows = await queryOnce<StoredPicture>(
    lists,
    'media_list',
    sql`select ${COLUMNS} from media where ${where} ${isAfter}
      order by media.created_at ${direction}, media.sha256 ${direction} limit ${limit + 1}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from media where ${where}`;
  return { rows, count: await countRows(lists, 'media_count', matching) };
}

/** Notes the time for pictures that no row refers to any more, and removes it from those that are used again. */
export async function noteUnused(db: Queryable, accountId: string, now: Date): Promise<void> {
  await query(
    db,
    'media_note_unused',
    sql`update media set unused_since = ${now}
      where ${matchesFilter(accountId, { unused: true })} and unused_since is null`,
  );
  await query(
    db,
    'media_note_used',
    sql`update media set unused_since = null
      where ${matchesFilter(accountId, { unused: false })} and unused_since is not null`,
  );
}

/** Clears the time since which nothing uses a picture, so that it is kept as long as a new one. Returns false when it is gone. */
export async function clearUnusedSince(
  db: Queryable,
  { accountId, sha256 }: PictureFile,
): Promise<boolean> {
  const rows = await query(
    db,
    'media_keep',
    sql`update media set unused_since = null where account_id = ${accountId} and sha256 = ${sha256} returning sha256`,
  );
  return rows.length > 0;
}

/** Lists the pictures of an account that nothing has used since before a time. */
export function listUnused(
  db: Queryable,
  accountId: string,
  before: Date,
): Promise<StoredPicture[]> {
  return query<StoredPicture>(
    db,
    'media_unused',
    sql`select ${COLUMNS} from media
      where media.account_id = ${accountId} and unused_since < ${before} order by media.sha256`,
  );
}
