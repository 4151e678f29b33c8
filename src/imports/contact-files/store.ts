import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../../access/index.ts';
import {
  query,
  queryOnce,
  UnavailableError,
  type Queryable,
} from '../../platform/database/index.ts';
import { COUNT_MAX, type ListQuery } from '../../platform/http/index.ts';
import type { OutcomeCounts } from '../service.ts';
import type { FileChanges, NamedFile, StoredFile } from './rules.ts';
import { REASONS_MAX, type ContactFileFilter, type Reason } from './schemas.ts';

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

const columns = raw(
  Object.entries(COLUMNS)
    .map(
      ([name, column]) => `${column}${column === 'first_sequence' ? '::float8' : ''} as "${name}"`,
    )
    .join(', '),
);

const selectActorName = (accountId: string) => sql`coalesce(
    (select users.name from users
      where users.account_id = ${accountId} and users.id = contact_files.actor_id),
    (select api_keys.name from api_keys
      where api_keys.account_id = ${accountId} and api_keys.id = contact_files.actor_id)
  ) as "actorName"`;

type NewFile = Pick<StoredFile, 'id' | 'name' | 'mediaFormat' | 'encoding' | 'createdAt'>;

/** Inserts a file whose bytes are on their way. Lists do not have it yet. */
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

/** Counts the files of an account whose bytes are kept. */
export async function countKeptFiles(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'contact_files_count_kept',
    sql`select count(*)::int as count from contact_files
      where account_id = ${accountId} and status not in ('refused', 'completed', 'undone')`,
  );
  return row?.count ?? 0;
}

export async function insertChunk(
  db: Queryable,
  accountId: string,
  fileId: string,
  { position, bytes }: { position: number; bytes: Buffer },
): Promise<void> {
  await query(
    db,
    'contact_file_chunk_insert',
    sql`insert into contact_file_chunks (account_id, file_id, position, bytes)
      values (${accountId}, ${fileId}, ${position}, ${bytes})`,
  );
}

/** Reads the bytes of a file, a chunk at a time. */
export async function* readChunks(
  db: Queryable,
  accountId: string,
  fileId: string,
): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const [row] = await query<{ bytes: Buffer }>(
      db,
      'contact_file_chunk_read',
      sql`select bytes from contact_file_chunks
        where account_id = ${accountId} and file_id = ${fileId} and position = ${position}`,
    );
    if (row === undefined) return;
    yield row.bytes;
  }
}

export async function deleteChunks(
  tx: Queryable,
  accountId: string,
  fileId: string,
): Promise<void> {
  await query(
    tx,
    'contact_file_chunks_delete',
    sql`delete from contact_file_chunks where account_id = ${accountId} and file_id = ${fileId}`,
  );
}

/** Finds a file; undefined when the account has none with this id, or not all of its bytes yet. */
export async function findFile(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<NamedFile | undefined> {
  const [row] = await query<NamedFile>(
    db,
    'contact_file_find',
    sql`select ${columns}, ${selectActorName(accountId)} from contact_files
      where account_id = ${accountId} and id = ${id} and status <> 'uploading'`,
  );
  return row;
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

const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lists files, the newest first: one more than the limit, if there are as many. */
export async function listFiles(
  db: Queryable,
  accountId: string,
  { filter: { status }, limit, after, isCounted }: ListQuery<ContactFileFilter>,
): Promise<{ rows: NamedFile[]; count?: number | undefined }> {
  const conditions = [sql`account_id = ${accountId}`, sql`status <> 'uploading'`];
  if (status !== undefined) conditions.push(sql`status = any(${status})`);
  const where = join(conditions, ' and ');
  const name = status === undefined ? 'all' : 'status';
  const rows = await query<NamedFile>(
    db,
    `contact_files_list_${name}`,
    sql`select ${columns}, ${selectActorName(accountId)} from contact_files
      where ${where} and id < ${after?.id ?? MAX_ID}
      order by id desc limit ${limit + 1}`,
  );
  if (!isCounted) return { rows };
  const [counted] = await query<{ count: number }>(
    db,
    `contact_files_count_${name}`,
    sql`select count(*)::int as count from (select 1 from contact_files where ${where} limit ${COUNT_MAX + 1}) found`,
  );
  return { rows, count: counted?.count };
}

export async function deleteFile(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'contact_file_delete',
    sql`delete from contact_files where account_id = ${accountId} and id = ${id}`,
  );
}

const JSON_MEMBERS = new Set<string>(['columns', 'problem', 'options', 'reasons', 'remarks']);

/** Changes a file, as its next version. The caller has locked it. */
export async function updateFile(
  tx: Queryable,
  accountId: string,
  id: string,
  changes: FileChanges,
): Promise<void> {
  await queryOnce(
    tx,
    'contact_file_update',
    sql`update contact_files set ${assign(changes)}, version = version + 1
      where account_id = ${accountId} and id = ${id}`,
  );
}

function assign(changes: FileChanges): Sql {
  const assignments = Object.entries(changes).map(([name, value]) => {
    const isJson = JSON_MEMBERS.has(name) && value !== null;
    const stored = isJson ? JSON.stringify(value) : value;
    return sql`${raw(COLUMNS[name as keyof StoredFile])} = ${stored}`;
  });
  return join(assignments, ', ');
}

/** The right to work on a file. Other processes leave the file alone until the lease has expired. */
export interface Lease {
  accountId: string;
  fileId: string;
  token: string;
}

/** Another process has the file, or it is gone: nothing more may be stored. */
export class LeaseLostError extends UnavailableError {}

function requireHeld([row]: Pick<StoredFile, 'status'>[]): StoredFile['status'] {
  if (row !== undefined) return row.status;
  throw new LeaseLostError('another process works on the file, or it is gone');
}

const isDue = (now: Date) => sql`status in ('checking', 'queued', 'running', 'stopping', 'undoing')
  and (lease is null or lease_until < ${now})`;

/** Lists files of all accounts that wait for a process, the oldest first: one of each account. */
export function listDueFiles(
  db: Queryable,
  now: Date,
): Promise<{ accountId: string; fileId: string }[]> {
  // Planned each time: nearly all files are not due, and the statement is for all accounts.
  return queryOnce(
    db,
    'contact_files_list_due',
    sql`select distinct on (account_id) account_id as "accountId", id as "fileId" from contact_files
      where ${isDue(now)} and (status = 'checking' or not exists (
        select 1 from contact_files other
        where other.account_id = contact_files.account_id and other.id <> contact_files.id and other.lease is not null
          and other.status <> 'checking'
      ))
      order by account_id, id`,
  );
}

/** Takes a file that waits for a process. A queued run begins. Returns undefined when another process has taken it. */
export async function takeLease(
  db: Queryable,
  { accountId, fileId, token }: Lease,
  { now, until }: { now: Date; until: Date },
): Promise<{ file: StoredFile; attempts: number } | undefined> {
  const [row] = await query<StoredFile & { attempts: number }>(
    db,
    'contact_file_take_lease',
    sql`update contact_files set lease = ${token}, lease_until = ${until}, attempts = attempts + 1,
        version = version + case status when 'queued' then 1 else 0 end,
        started_at = case status when 'queued' then coalesce(started_at, ${now}) else started_at end,
        status = case status when 'queued' then 'running' else status end
      where account_id = ${accountId} and id = ${fileId} and ${isDue(now)}
      returning ${columns}, attempts`,
  );
  return row && { file: row, attempts: row.attempts };
}

/** Keeps a lease for longer, and returns the status of the file. Throws when the lease is lost. */
export async function renewLease(
  db: Queryable,
  { accountId, fileId, token }: Lease,
  until: Date,
): Promise<StoredFile['status']> {
  const rows = await query<Pick<StoredFile, 'status'>>(
    db,
    'contact_file_renew_lease',
    sql`update contact_files set lease_until = ${until}
      where account_id = ${accountId} and id = ${fileId} and lease = ${token} returning status`,
  );
  return requireHeld(rows);
}

/** Stores what some rows did and how far the run is, keeps the lease, and returns the status. Throws when it is lost. */
export async function recordRows(
  tx: Queryable,
  { accountId, fileId, token }: Lease,
  { created, merged, refused }: OutcomeCounts,
  { nextLine, deleted, until }: { nextLine: number; deleted: number; until: Date },
): Promise<StoredFile['status']> {
  const rows = await query<Pick<StoredFile, 'status'>>(
    tx,
    'contact_file_record_rows',
    sql`update contact_files set created = created + ${created}, merged = merged + ${merged},
        refused = refused + ${refused}, version = version + 1, lease_until = ${until}, attempts = 0,
        deleted = case when next_line <= ${nextLine} then ${deleted} else deleted end,
        next_line = greatest(next_line, ${nextLine})
      where account_id = ${accountId} and id = ${fileId} and lease = ${token} returning status`,
  );
  return requireHeld(rows);
}

/** Changes a file that a process works on. Throws when its lease is lost. `isFreed`: the process has done its part. */
export async function updateHeldFile(
  tx: Queryable,
  { accountId, fileId, token }: Lease,
  changes: FileChanges,
  isFreed: boolean,
): Promise<StoredFile['status']> {
  const freed = isFreed ? sql`, lease = null, lease_until = null, attempts = 0` : sql``;
  const rows = await queryOnce<Pick<StoredFile, 'status'>>(
    tx,
    'contact_file_update_held',
    sql`update contact_files set ${assign(changes)}, version = version + 1${freed}
      where account_id = ${accountId} and id = ${fileId} and lease = ${token} returning status`,
  );
  return requireHeld(rows);
}

/** Lets another process take the file at once. A lease that is lost stays so. */
export async function freeLease(db: Queryable, { accountId, fileId, token }: Lease): Promise<void> {
  await query(
    db,
    'contact_file_free_lease',
    sql`update contact_files set lease = null, lease_until = null, attempts = 0
      where account_id = ${accountId} and id = ${fileId} and lease = ${token}`,
  );
}

/** Finds the lines of the rows of a run that are in the log, from a line on. */
export async function findDoneLines(
  db: Queryable,
  accountId: string,
  fileId: string,
  fromLine: number,
): Promise<Set<number>> {
  const rows = await query<{ line: number }>(
    db,
    'contact_file_find_done_lines',
    sql`select position as line from imports
      where account_id = ${accountId} and run_id = ${fileId} and position >= ${fromLine}`,
  );
  return new Set(rows.map(({ line }) => line));
}

/** A refused row of a file. */
export interface RefusedRecord {
  line: number;
  code: string;
  reason: string;
  text: string;
}

const PAGE_MAX_ROWS = 200;

/** Reads the refused rows of a run whose text is kept, page by page. */
export async function* readRefusedRows(
  tx: Queryable,
  accountId: string,
  fileId: string,
): AsyncGenerator<RefusedRecord[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await query<RefusedRecord & { id: string }>(
      tx,
      'contact_file_read_refused',
      sql`select id, position as line, result ->> 'code' as code, result ->> 'detail' as reason, payload as text
        from imports
        where account_id = ${accountId} and run_id = ${fileId} and id > ${after}
          and outcome = 'refused' and payload is not null
        order by id limit ${PAGE_MAX_ROWS}`,
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}

/**
 * Stores rows that a dry run has refused, unless its lease is lost. The lock makes the erasure of a person wait, or this
 * statement for it.
 */
export async function insertRefusals(
  db: Queryable,
  { accountId, fileId, token }: Lease,
  rows: RefusedRecord[],
): Promise<void> {
  await query(
    db,
    'contact_file_refusals_insert',
    sql`with held as materialized (
        select id from contact_files
        where account_id = ${accountId} and id = ${fileId} and lease = ${token} for key share
      )
      insert into contact_file_refusals (account_id, file_id, line, code, reason, text)
      select ${accountId}, held.id, r.line, r.code, r.reason, r.text
      from held, json_to_recordset(${JSON.stringify(rows)}::json)
        as r(line integer, code text, reason text, text text)
      on conflict do nothing`,
  );
}

export async function deleteRefusals(
  db: Queryable,
  accountId: string,
  fileId: string,
): Promise<void> {
  await query(
    db,
    'contact_file_refusals_delete',
    sql`delete from contact_file_refusals where account_id = ${accountId} and file_id = ${fileId}`,
  );
}

/** Reads the rows that a dry run has refused, page by page. */
export async function* readRefusals(
  tx: Queryable,
  accountId: string,
  fileId: string,
): AsyncGenerator<RefusedRecord[]> {
  let after = 0;
  for (;;) {
    const page = await query<RefusedRecord>(
      tx,
      'contact_file_refusals_read',
      sql`select line, code, reason, text from contact_file_refusals
        where account_id = ${accountId} and file_id = ${fileId} and line > ${after}
        order by line limit ${PAGE_MAX_ROWS}`,
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.line;
  }
}

/** Counts the rows of the latest run that each of the commonest reasons refused. */
export function countReasons(
  db: Queryable,
  { accountId, fileId }: Lease,
  isDryRun: boolean,
): Promise<Reason[]> {
  const refused = isDryRun
    ? sql`select code, reason from contact_file_refusals
        where account_id = ${accountId} and file_id = ${fileId}`
    : sql`select result ->> 'code' as code, result ->> 'detail' as reason from imports
        where account_id = ${accountId} and run_id = ${fileId} and outcome = 'refused'`;
  return query<Reason>(
    db,
    `contact_file_count_reasons_${isDryRun ? 'tried' : 'imported'}`,
    sql`select code, reason as detail, count(*)::int as count from (${refused}) refused
      group by 1, 2 order by count desc, 1, 2 limit ${REASONS_MAX}`,
  );
}

/** Locks and lists the files of an account whose bytes are kept. */
export function listKeptFiles(
  tx: Queryable,
  accountId: string,
): Promise<Pick<StoredFile, 'id' | 'encoding'>[]> {
  return query(
    tx,
    'contact_files_list_kept',
    sql`select id, encoding from contact_files
      where account_id = ${accountId} and status not in ('refused', 'completed', 'undone')
      order by id for update`,
  );
}

/** Takes a file from the process that works on it. */
export async function dropLease(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'contact_file_drop_lease',
    sql`update contact_files set lease = null, lease_until = null
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** An upload that has not ended after so long was broken off, and its process has ended. */
const UPLOAD_MAX_MS = 60 * 60 * 1000;

/**
 * Deletes old files: those whose run has ended with the records of their rows, and others a time after their upload. One
 * that a process works on stays. At most 500 at once.
 */
export function deleteOldFiles(
  db: Queryable,
  accountId: string,
  { now, filesBefore, recordsBefore }: { now: Date; filesBefore: Date; recordsBefore: Date },
): Promise<unknown[]> {
  const uploadsBefore = new Date(now.getTime() - UPLOAD_MAX_MS);
  return query(
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
}
