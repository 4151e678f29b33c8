import sql from 'sql-template-tag';
import { query, readPages, type Queryable } from '../../platform/database/index.ts';
import type { Lease } from './lease-store.ts';
import { REASONS_MAX, type Reason } from './schemas.ts';
import { NIL_ID } from '../../platform/text/index.ts';

/* The rows of contact files that a dry run or an import has refused, and the lines whose rows are in the import log. */

/** A refused row of a file. */
export interface RefusedRecord {
  line: number;
  code: string;
  reason: string;
  text: string;
}

const PAGE_MAX_ROWS = 200;

/**
 * Stores rows that a dry run has refused, unless its lease is lost. The lock makes this statement and the erasure of a person
 * wait for each other.
 */
export async function insertRefusals(
  db: Queryable,
  { accountId, fileId, token }: Lease,
  rows: RefusedRecord[],
): Promise<void> {
  await query(
    db,
    'contact_file_refusals_insert',
    sql`with leased as materialized (
        select id from contact_files
        where account_id = ${accountId} and id = ${fileId} and lease = ${token} for key share
      )
      insert into contact_file_refusals (account_id, file_id, line, code, reason, text)
      select ${accountId}, leased.id, r.line, r.code, r.reason, r.text
      from leased, json_to_recordset(${JSON.stringify(rows)}::json)
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
export function readRefusals(
  tx: Queryable,
  accountId: string,
  fileId: string,
): AsyncGenerator<RefusedRecord[]> {
  return readPages((last) =>
    query<RefusedRecord>(
      tx,
      'contact_file_refusals_read',
      sql`select line, code, reason, text from contact_file_refusals
        where account_id = ${accountId} and file_id = ${fileId} and line > ${last?.line ?? 0}
        order by line limit ${PAGE_MAX_ROWS}`,
    ),
  );
}

/** Reads the refused rows of a run whose text is stored, page by page. */
export function readRefusedRows(
  tx: Queryable,
  accountId: string,
  fileId: string,
): AsyncGenerator<RefusedRecord[]> {
  return readPages<RefusedRecord & { id: string }>((last) =>
    query(
      tx,
      'contact_file_read_refused',
      sql`select id, position as line, result ->> 'code' as code, result ->> 'detail' as reason, payload as text
        from imports
        where account_id = ${accountId} and run_id = ${fileId} and id > ${last?.id ?? NIL_ID}
          and outcome = 'refused' and payload is not null
        order by id limit ${PAGE_MAX_ROWS}`,
    ),
  );
}

/** Counts the rows of the latest run by the reasons that refused them, for the most frequent reasons. */
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

/** Finds the lines, from a line on, whose rows the log has from this run. */
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
