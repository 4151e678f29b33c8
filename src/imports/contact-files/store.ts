import sql, { join, raw, type Sql } from 'sql-template-tag';
import { selectActorName, type Actor } from '../../access/index.ts';
import { joinFilter, query, queryOnce, type Queryable } from '../../platform/database/index.ts';
import { countRows, type ListQuery } from '../../platform/http/index.ts';
import { MAX_ID } from '../../platform/text/index.ts';
import type { FileChanges, NamedFile, StoredFile } from './rules.ts';
import type { ContactFileFilter } from './schemas.ts';

/** The columns of the table, by the members of a stored file. */
const COLUMNS: Record<keyof StoredFile, string> = {
  id: 'id',
  name: 'name',
  mediaFormat: 'media_format',
  encoding: 'encoding',
  bytes: 'bytes',
  status: 'status',
  createdAt: 'created_at',
  actorType: 'actor_type',
  actorId: 'actor_id',
  version: 'version',
  format: 'format',
  rowCount: 'row_count',
  headerLine: 'header_line',
  delimiter: 'delimiter',
  columns: 'columns',
  problem: 'problem',
  options: 'options',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  created: 'created',
  merged: 'merged',
  refused: 'refused',
  deleted: 'deleted',
  nextLine: 'next_line',
  firstSequence: 'first_sequence',
  removed: 'removed',
  reasons: 'reasons',
  remarks: 'remarks',
  kept: 'kept',
};

export const FILE_COLUMNS = raw(
  Object.entries(COLUMNS)
    .map(
      ([name, column]) => `${column}${column === 'first_sequence' ? '::float8' : ''} as "${name}"`,
    )
    .join(', '),
);

const selectNamed = (accountId: string) =>
  sql`${FILE_COLUMNS}, ${selectActorName(accountId, sql`contact_files.actor_id`)} as "actorName"`;

type NewFile = Pick<StoredFile, 'id' | 'name' | 'mediaFormat' | 'encoding' | 'createdAt'>;

/** Inserts a file whose bytes are still arriving. Lists do not show it yet. */
export async function insertFile(
  tx: Queryable,
  accountId: string,
  { id, name, mediaFormat, encoding, createdAt }: NewFile,
  actor: Pick<Actor, 'type' | 'id'>,
): Promise<void> {
  await query(
    tx,
    'contact_file_insert',
    sql`insert into contact_files (account_id, id, name, media_format, encoding, status, created_at, actor_type, actor_id)
      values (${accountId}, ${id}, ${name}, ${mediaFormat}, ${encoding}, 'uploading', ${createdAt}, ${actor.type}, ${actor.id})`,
  );
}

/** Counts the files of an account whose bytes are stored, also those whose bytes are arriving. */
export async function countFilesWithBytes(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'contact_files_count_with_bytes',
    sql`select count(*)::int as count from contact_files
      where account_id = ${accountId} and status not in ('refused', 'completed', 'undone')`,
  );
  return row?.count ?? 0;
}

/** Finds a file; undefined when the account has none with this id, or its bytes have not all arrived. */
export async function findFile(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<NamedFile | undefined> {
  const [row] = await query<NamedFile>(
    db,
    'contact_file_find',
    sql`select ${selectNamed(accountId)} from contact_files
      where account_id = ${accountId} and id = ${id} and status <> 'uploading'`,
  );
  return row;
}

/**
 * Ends the upload of a file: its check is queued. Returns false when the file was refused meanwhile, because a person in it was
 * erased.
 */
export async function endUpload(
  db: Queryable,
  accountId: string,
  id: string,
  bytes: number,
): Promise<boolean> {
  const rows = await query(
    db,
    'contact_file_end_upload',
    sql`update contact_files set bytes = ${bytes}, status = 'checking', version = version + 1
      where account_id = ${accountId} and id = ${id} and status = 'uploading' returning id`,
  );
  return rows.length > 0;
}

/** Locks a file and finds it, as `findFile` does. */
export async function lockFile(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<NamedFile | undefined> {
  await query(
    tx,
    'contact_file_lock',
    sql`select 1 from contact_files where account_id = ${accountId} and id = ${id} for update`,
  );
  return findFile(tx, accountId, id);
}

/** Lists files, the newest first: one more than the limit, if there are as many. */
export async function listFiles(
  db: Queryable,
  accountId: string,
  { filter: { status }, limit, after, isCounted }: ListQuery<ContactFileFilter>,
): Promise<{ rows: NamedFile[]; count?: number | undefined }> {
  const always = [sql`account_id = ${accountId}`, sql`status <> 'uploading'`];
  const filter = { status: status && sql`status = any(${status})` };
  const { where, suffix } = joinFilter(always, filter);
  const rows = await query<NamedFile>(
    db,
    `contact_files_list${suffix}`,
    sql`select ${selectNamed(accountId)} from contact_files
      where ${where} and id < ${after?.id ?? MAX_ID}
      order by id desc limit ${limit + 1}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from contact_files where ${where}`;
  return { rows, count: await countRows(db, `contact_files_count${suffix}`, matching) };
}

type EncodedFile = Pick<StoredFile, 'id' | 'encoding'>;

/** Lists the files of an account whose bytes have all arrived, and are stored. */
export function listUploadedFiles(db: Queryable, accountId: string): Promise<EncodedFile[]> {
  return query(
    db,
    'contact_files_list_uploaded',
    sql`select id, encoding from contact_files
      where account_id = ${accountId} and status not in ('uploading', 'refused', 'completed', 'undone')
      order by id`,
  );
}

/** Lists the names of all files of an account. */
export function listFileNames(
  db: Queryable,
  accountId: string,
): Promise<Pick<StoredFile, 'id' | 'name' | 'mediaFormat'>[]> {
  return query(
    db,
    'contact_files_list_names',
    sql`select id, name, media_format as "mediaFormat" from contact_files
      where account_id = ${accountId} order by id`,
  );
}

/** Locks and lists the files of an account whose bytes are stored, also those whose bytes are arriving. */
export function lockFilesWithBytes(tx: Queryable, accountId: string): Promise<EncodedFile[]> {
  return query(
    tx,
    'contact_files_lock_with_bytes',
    sql`select id, encoding from contact_files
      where account_id = ${accountId} and status not in ('refused', 'completed', 'undone')
      order by id for update`,
  );
}

const JSON_MEMBERS = new Set<string>(['columns', 'problem', 'options', 'reasons', 'remarks']);

/** Changes a file and raises its version. The caller has locked it. */
export async function updateFile(
  tx: Queryable,
  accountId: string,
  id: string,
  changes: FileChanges,
): Promise<void> {
  await queryOnce(
    tx,
    'contact_file_update',
    sql`update contact_files set ${assignChanges(changes)}, version = version + 1
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Removes the remarks of files, which quote values of their rows. */
export async function removeRemarks(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<void> {
  await query(
    tx,
    'contact_files_remove_remarks',
    sql`update contact_files set remarks = null, version = version + 1
      where account_id = ${accountId} and id = any(${ids}::uuid[]) and remarks is not null`,
  );
}

/** Writes the assignments of an UPDATE. */
export function assignChanges(changes: FileChanges): Sql {
  const assignments = Object.entries(changes).map(([name, value]) => {
    const isJson = JSON_MEMBERS.has(name) && value !== null;
    const stored = isJson ? JSON.stringify(value) : value;
    return sql`${raw(COLUMNS[name as keyof StoredFile])} = ${stored}`;
  });
  return join(assignments, ', ');
}

export async function deleteFile(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'contact_file_delete',
    sql`delete from contact_files where account_id = ${accountId} and id = ${id}`,
  );
}

/** An upload that is older than this broke off because its process ended. */
const UPLOAD_MAX_MS = 60 * 60 * 1000;

/**
 * Deletes up to 500 old files: completed and undone ones when the records of their rows are deleted, others some time after
 * their upload. Keeps files that a process works on. Returns whether there may be more.
 */
export async function deleteOldFiles(
  db: Queryable,
  accountId: string,
  { now, filesBefore, recordsBefore }: { now: Date; filesBefore: Date; recordsBefore: Date },
): Promise<boolean> {
  const uploadsBefore = new Date(now.getTime() - UPLOAD_MAX_MS);
  const deleted = await query(
    db,
    'sweep_contact_files',
    sql`with old as materialized (
        select id from contact_files
        where account_id = ${accountId} and case
          when status in ('completed', 'undone') then coalesce(ended_at, created_at) < ${recordsBefore}
          when status = 'uploading' then created_at < ${uploadsBefore}
          when status in ('ready', 'refused', 'stopped', 'failed')
            then greatest(created_at, ended_at) < ${filesBefore}
          else false
        end
        order by id limit 500 for update skip locked
      )
      delete from contact_files where account_id = ${accountId} and id = any(array(select id from old))
      returning true`,
  );
  return deleted.length === 500;
}
