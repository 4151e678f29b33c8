import sql, { empty, type Sql } from 'sql-template-tag';
import {
  query,
  queryOnce,
  UnavailableError,
  type Queryable,
} from '../../platform/database/index.ts';
import { hasNoLease } from '../../platform/jobs/index.ts';
import type { FileChanges, StoredFile } from './rules.ts';
import { assignChanges, FILE_COLUMNS } from './store.ts';
import type { OutcomeCounts } from '../submission.ts';

/* The leases of contact files, and the state that a process stores while it has the lease. */

/** The right to work on a file. Other processes leave the file alone until the lease has expired. */
export interface Lease {
  accountId: string;
  fileId: string;
  token: string;
}

/** The lease is lost: another process works on the file, or the file was deleted. The caller must store nothing more. */
export class LeaseLostError extends UnavailableError {}

function requireRow([row]: Pick<StoredFile, 'status'>[]): StoredFile['status'] {
  if (row !== undefined) return row.status;
  throw new LeaseLostError('another process works on the file, or the file was deleted');
}

const isDue = (now: Date) =>
  sql`status in ('checking', 'queued', 'running', 'stopping', 'undoing') and ${hasNoLease(now)}`;

/** Lists files of these accounts, or of all for null, that wait for a process: the oldest one of each account. */
export function listDueFiles(
  db: Queryable,
  accountIds: string[] | null,
  now: Date,
): Promise<{ accountId: string; fileId: string }[]> {
  // Each table has the condition: otherwise a Citus asks all its shards.
  const among = (table: Sql) =>
    accountIds === null ? empty : sql`and ${table}.account_id = any(${accountIds}::uuid[])`;
  // Plan it each time: when it looks at all accounts, few of their files are due.
  return queryOnce(
    db,
    accountIds === null ? 'contact_files_list_due' : 'contact_files_list_due_of_accounts',
    sql`select distinct on (account_id) account_id as "accountId", id as "fileId" from contact_files
      where ${isDue(now)} ${among(sql`contact_files`)} and (status = 'checking' or not exists (
        select 1 from contact_files other
        where other.account_id = contact_files.account_id ${among(sql`other`)} and other.id <> contact_files.id
          and other.lease is not null and other.status <> 'checking'
      ))
      order by account_id, id`,
  );
}

/**
 * Takes a file that waits for a process, and starts a queued run. Returns undefined when another process has taken it. Each
 * condition is written out, because Citus writes `case status when` in an UPDATE wrongly.
 */
export async function takeLease(
  db: Queryable,
  { accountId, fileId, token }: Lease,
  { now, until }: { now: Date; until: Date },
): Promise<{ file: StoredFile; attempts: number } | undefined> {
  const [row] = await query<StoredFile & { attempts: number }>(
    db,
    'contact_file_take_lease',
    sql`update contact_files set lease = ${token}, lease_until = ${until}, attempts = attempts + 1,
        version = version + case when status = 'queued' then 1 else 0 end,
        started_at = case when status = 'queued' then coalesce(started_at, ${now}) else started_at end,
        status = case when status = 'queued' then 'running' else status end
      where account_id = ${accountId} and id = ${fileId} and ${isDue(now)}
      returning ${FILE_COLUMNS}, attempts`,
  );
  return row && { file: row, attempts: row.attempts };
}

/** Locks the file until the end of the transaction, so that no other process takes it. Throws when the lease is lost. */
export async function requireLease(
  tx: Queryable,
  { accountId, fileId, token }: Lease,
): Promise<void> {
  const rows = await query<Pick<StoredFile, 'status'>>(
    tx,
    'contact_file_require_lease',
    sql`select status from contact_files
      where account_id = ${accountId} and id = ${fileId} and lease = ${token} for update`,
  );
  requireRow(rows);
}

/** Renews a lease, and returns the status of the file; undefined when the lease is lost. */
export async function renewLease(
  db: Queryable,
  { accountId, fileId, token }: Lease,
  until: Date,
): Promise<StoredFile['status'] | undefined> {
  const [row] = await query<Pick<StoredFile, 'status'>>(
    db,
    'contact_file_renew_lease',
    sql`update contact_files set lease_until = ${until}
      where account_id = ${accountId} and id = ${fileId} and lease = ${token} returning status`,
  );
  return row?.status;
}

/**
 * Stores the outcomes of some rows and how far the run is, renews the lease, and returns the status. Throws when the lease is
 * lost.
 */
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
  return requireRow(rows);
}

/** Changes a file that this process works on. Throws when the lease is lost. */
export function updateLeasedFile(
  tx: Queryable,
  lease: Lease,
  changes: FileChanges,
): Promise<StoredFile['status']> {
  return updateLeased(tx, lease, assignChanges(changes));
}

/** Changes a file and releases its lease. Throws when the lease is lost. */
export async function updateAndRelease(
  tx: Queryable,
  lease: Lease,
  changes: FileChanges,
): Promise<void> {
  const released = sql`lease = null, lease_until = null, attempts = 0`;
  await updateLeased(tx, lease, sql`${assignChanges(changes)}, ${released}`);
}

async function updateLeased(
  tx: Queryable,
  { accountId, fileId, token }: Lease,
  assignments: Sql,
): Promise<StoredFile['status']> {
  const rows = await queryOnce<Pick<StoredFile, 'status'>>(
    tx,
    'contact_file_update_leased',
    sql`update contact_files set ${assignments}, version = version + 1
      where account_id = ${accountId} and id = ${fileId} and lease = ${token} returning status`,
  );
  return requireRow(rows);
}

/** Releases a lease, so that another process can take the file at once. Does nothing when the lease is lost. */
export async function releaseLease(
  db: Queryable,
  { accountId, fileId, token }: Lease,
): Promise<void> {
  await query(
    db,
    'contact_file_free_lease',
    sql`update contact_files set lease = null, lease_until = null, attempts = 0
      where account_id = ${accountId} and id = ${fileId} and lease = ${token}`,
  );
}

/** Takes the lease of a file away from the process that has it. */
export async function revokeLease(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'contact_file_drop_lease',
    sql`update contact_files set lease = null, lease_until = null
      where account_id = ${accountId} and id = ${id}`,
  );
}
