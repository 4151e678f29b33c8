import sql, { empty } from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { ContactImportResult } from '../schemas.ts';
import { makeFirstId, ID_SLACK_MS, type ImportRecord } from './record.ts';

/**
 * Writes records of imports. A record that exists is one that was refused and has now been retried: it is settled when the
 * retry was accepted, and stays as it is when it was not.
 */
export async function writeRecords(
  db: Queryable,
  accountId: string,
  records: ImportRecord[],
): Promise<void> {
  // The rows of one file share its description, so it is sent once.
  const files = [...new Set(records.map(({ file }) => file))];
  const rows = records.map((record) => ({ ...record, file: files.indexOf(record.file) }));
  await query(
    db,
    'import_records_write',
    sql`insert into imports (account_id, id, received_at, channel, api_key_id, request_id, position, file,
        payload, outcome, result)
      select ${accountId}, r.id, r."receivedAt", r.channel, r."apiKeyId", r."requestId", r.position,
        nullif(${JSON.stringify(files)}::jsonb -> r.file, 'null'), r.payload, r.outcome, r.result
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, "receivedAt" timestamptz(3), channel text,
        "apiKeyId" uuid, "requestId" text, position integer, file integer, payload text, outcome text, result json)
      on conflict (account_id, id) do update
        set settled_at = excluded.received_at, settlement = excluded.result
        where imports.settled_at is null and excluded.outcome <> 'refused'`,
  );
}

/** A stored record. */
export interface StoredRecord extends Omit<ImportRecord, 'receivedAt'> {
  receivedAt: Date;
  /** When a retry of the refused import was accepted. */
  settledAt: Date | null;
  settlement: ContactImportResult | null;
}

/** A record in a list. `payload` is null unless the record can be retried. */
export type ListedRecord = Omit<StoredRecord, 'payload'> & { payload: string | null };

/** Selects records of an account; all without a condition. */
export interface Selection {
  /** Only records that are refused and not settled. */
  open?: boolean;
  /** Only records of imports that were received at this time or later. */
  since?: Date;
  /** Only records with these ids. */
  ids?: string[];
}

const columns = sql`id, received_at as "receivedAt", channel, api_key_id as "apiKeyId",
  request_id as "requestId", position, file, outcome, result, settled_at as "settledAt", settlement`;

const isOpen = sql`outcome = 'refused' and settled_at is null`;

/** Reads records in the order of their ids, the oldest first. */
export async function* readRecordPages(
  db: Queryable,
  accountId: string,
  selection: Selection,
): AsyncGenerator<ListedRecord[]> {
  let after = makeFirstId((selection.since?.getTime() ?? 0) - ID_SLACK_MS);
  for (;;) {
    const page = await readRecordPage(db, accountId, after, selection);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}

// A page is short, since a payload can have a megabyte. A batch that was refused as a whole is not an import, so it cannot
// be retried.
function readRecordPage(
  db: Queryable,
  accountId: string,
  after: string,
  { open = false, since = new Date(0), ids }: Selection,
): Promise<ListedRecord[]> {
  return query<ListedRecord>(
    db,
    `imports_page${open ? '_open' : ''}${ids === undefined ? '' : '_named'}`,
    sql`select ${columns},
        case when ${isOpen} and (channel <> 'batch' or position is not null) then payload end as payload
      from imports
      where account_id = ${accountId} and id > ${after} and received_at >= ${since}
        ${open ? sql`and ${isOpen}` : empty}
        ${ids === undefined ? empty : sql`and id = any(${ids}::uuid[])`}
      order by id limit 50`,
  );
}

/** Finds a record with its payload; undefined when the account has none with this id. */
export async function findRecord(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredRecord | undefined> {
  const [row] = await query<StoredRecord>(
    db,
    'import_record_find',
    sql`select ${columns}, payload from imports where account_id = ${accountId} and id = ${id}`,
  );
  return row;
}
