import sql from 'sql-template-tag';
import { measureTable, query, type Queryable } from '../../platform/database/index.ts';
import type { ProblemDetails } from '../../platform/http/index.ts';
import type { ImportRecord } from './record.ts';

/** The detail of a problem is cut to this length when the payload is not kept. */
const DETAIL_MAX_LENGTH = 300;

/** Decides which refused records of an account keep their payloads. */
export interface RefusedLimit {
  /** Removes the payload and the list of faults from each refused record that does not fit. */
  apply: (records: ImportRecord[]) => ImportRecord[];
  /** The bytes that these records add to those of the account. */
  readonly addedBytes: number;
}

/** Limits the bytes of refused records that an account keeps. Without a limit, one key could fill the disk. */
export function createRefusedLimit(keptBytes: number, maxBytes: number): RefusedLimit {
  let addedBytes = 0;

  function applyTo(record: ImportRecord): ImportRecord {
    const { outcome, payload } = record;
    if (outcome !== 'refused' || payload === null) return record;
    const bytes = countBytes(record);
    if (keptBytes + addedBytes + bytes > maxBytes) return dropPayload(record);
    addedBytes += bytes;
    return record;
  }

  return {
    apply: (records) => records.map(applyTo),
    get addedBytes() {
      return addedBytes;
    },
  };
}

/** Counts the bytes of a record against the limit. A record without a payload has none. */
export function countBytes({ payload, result }: Pick<ImportRecord, 'payload' | 'result'>): number {
  if (payload === null) return 0;
  return Buffer.byteLength(payload) + Buffer.byteLength(JSON.stringify(result));
}

function dropPayload(record: ImportRecord): ImportRecord {
  const { type, title, status, detail, code } = record.result as ProblemDetails;
  const shortDetail = detail.slice(0, DETAIL_MAX_LENGTH).toWellFormed();
  return { ...record, payload: null, result: { type, title, status, detail: shortDetail, code } };
}

/** Finds how many bytes of refused imports an account keeps. Rows of files do not count. */
export async function findRefusedBytes(db: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    db,
    'refused_bytes_find',
    sql`select refused_bytes::float8 as bytes from import_log_sizes where account_id = ${accountId}`,
  );
  return row?.bytes ?? 0;
}

/** Adds to the size of an account's refused leads; a negative number subtracts. The size never falls below 0. */
export async function addRefusedBytes(
  db: Queryable,
  accountId: string,
  bytes: number,
): Promise<void> {
  if (bytes === 0) return;
  await query(
    db,
    'refused_bytes_add',
    sql`insert into import_log_sizes (account_id, refused_bytes) values (${accountId}, ${bytes})
      on conflict (account_id) do update
        set refused_bytes = greatest(import_log_sizes.refused_bytes + excluded.refused_bytes, 0)`,
  );
}

/**
 * Counts the bytes of an account again, after records were deleted or settled. It can miss an import that commits meanwhile; the
 * next count includes it.
 */
export async function recountRefusedBytes(db: Queryable, accountId: string): Promise<void> {
  await query(
    db,
    'refused_bytes_recount',
    sql`update import_log_sizes set refused_bytes = (
        select coalesce(sum(octet_length(payload) + octet_length(result::text)), 0) from imports
        where account_id = ${accountId} and outcome = 'refused' and settled_at is null
          and channel <> 'file' and payload is not null
      )
      where account_id = ${accountId}`,
  );
}

/** Reads how many bytes the log has on the disk, for all accounts. */
export function readLogBytes(db: Queryable): Promise<number> {
  return measureTable(db, 'imports');
}

/** Reads the largest number of bytes of refused imports that any account keeps. */
export async function readMostRefusedBytes(db: Queryable): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    db,
    'refused_bytes_read_most',
    sql`select coalesce(max(refused_bytes), 0)::float8 as bytes from import_log_sizes`,
  );
  return row?.bytes ?? 0;
}
