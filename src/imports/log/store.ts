import sql from 'sql-template-tag';
import {
  insertRows,
  joinFilter,
  query,
  readPages,
  type Queryable,
} from '../../platform/database/index.ts';
import type { ContactImportResult } from '../schemas.ts';
import { isUuid, makeFirstId } from '../../platform/text/index.ts';
import { ID_SLACK_MS, type ImportRecord } from './record.ts';

/**
 * Writes records of imports, after their contacts. When the record exists, it was refused and is now retried: it is settled when
 * the retry is accepted, and otherwise gets the new problem.
 */
export async function writeRecords(
  db: Queryable,
  accountId: string,
  records: ImportRecord[],
): Promise<void> {
  const rows = records.map((record) => [
    record.id,
    record.receivedAt,
    record.channel,
    record.apiKeyId,
    record.requestId,
    record.position,
    record.file && JSON.stringify(record.file),
    record.payload,
    record.outcome,
    JSON.stringify(record.result),
    record.ignoredFields.length > 0 ? record.ignoredFields : null,
    record.runId,
    record.runId && record.contactVersion,
  ]);
  await insertRows(db, accountId, RECORDS, rows);
  await settleReplaced(db, accountId, records);
}

const RECORDS = {
  name: 'import_records_write',
  table: 'imports',
  columns: [
    'id',
    'received_at',
    'channel',
    'api_key_id',
    'request_id',
    'position',
    'file',
    'payload',
    'outcome',
    'result',
    'ignored_fields',
    'run_id',
    'contact_version',
  ],
  onConflict: `on conflict (account_id, id) do update
    set settled_at = case when excluded.outcome <> 'refused' then excluded.received_at end,
      settlement = case when excluded.outcome <> 'refused' then excluded.result end,
      result = case when excluded.outcome = 'refused' then excluded.result else imports.result end,
      contact_version = excluded.contact_version
    where imports.settled_at is null`,
};

/**
 * Settles the open records that others replace: with the result of an accepted one, or without a result when a refused one is now
 * open instead.
 */
async function settleReplaced(
  db: Queryable,
  accountId: string,
  records: ImportRecord[],
): Promise<void> {
  const replaced = records.flatMap(({ replacedIds = [], ...record }) =>
    replacedIds.map((replacedId) => ({ replacedId, ...record })),
  );
  if (replaced.length === 0) return;
  const results = replaced.map(({ outcome, result }) =>
    outcome === 'refused' ? null : JSON.stringify(result),
  );
  const replacedIds = replaced.map(({ replacedId }) => replacedId);
  // The coordinator of a Citus crashes when an UPDATE subscripts an array that is a parameter. `any` keeps PostgreSQL from
  // reading all records of the account for the join.
  await query(
    db,
    'import_records_settle',
    sql`update imports set settled_at = ${replaced[0]?.receivedAt}, settled_by = later.id,
        settlement = later.result::json
      from unnest(${replacedIds}::uuid[], ${replaced.map(({ id }) => id)}::uuid[], ${results}::text[])
        as later(replaced_id, id, result)
      where imports.account_id = ${accountId} and imports.id = any(${replacedIds}::uuid[])
        and imports.id = later.replaced_id and outcome = 'refused' and settled_at is null`,
  );
}

/** The person or the API key that dismissed a refused import, and the reason. The name is the one of that time. */
export interface Dismissal {
  reason: string | null;
  actor: { type: string; id: string; name: string };
}

/** A stored record. */
export interface StoredRecord extends Omit<
  ImportRecord,
  'receivedAt' | 'replacedIds' | 'contactVersion'
> {
  receivedAt: Date;
  /** The time at which a retry of the refused import was accepted. */
  settledAt: Date | null;
  settlement: ContactImportResult | null;
  /** Null unless a person dismissed the refused import. */
  dismissal: Dismissal | null;
  payloadKept: boolean;
  /** The record of a later run with the same row. */
  settledBy: string | null;
  /** The time at which the contact was removed because its run was undone. */
  undoneAt: Date | null;
}

/** The conditions that select records of an account. Without any, all are selected. */
export interface Selection {
  /** Only records that are refused and not settled. */
  open?: boolean;
  outcome?: ImportRecord['outcome'];
  /** Only rows of files with this name. */
  fileName?: string;
  /** Only rows of this run; null: only imports that belong to no run. */
  runId?: string | null;
  /** Only records of imports that were received at this time or later. */
  since?: Date;
  /** Only records with these ids. */
  ids?: string[];
}

export const recordColumns = sql`id, received_at as "receivedAt", channel, api_key_id as "apiKeyId",
  request_id as "requestId", position, file, outcome, result, settled_at as "settledAt", settlement,
  settled_by as "settledBy", dismissal, run_id as "runId", undone_at as "undoneAt",
  coalesce(ignored_fields, '{}') as "ignoredFields", payload is not null as "payloadKept"`;

export const isOpen = sql`outcome = 'refused' and settled_at is null`;

/** Few, since a payload can have a megabyte. */
const PAGE_MAX_ROWS = 50;

/**
 * Reads records in the order of their ids, the oldest first. `payload` is null unless the record can be retried: a batch that was
 * refused as a whole is not an import, so it cannot.
 */
export function readRecordPages(
  db: Queryable,
  accountId: string,
  { since = new Date(0), ...selection }: Selection,
): AsyncGenerator<StoredRecord[]> {
  const firstId = makeFirstId(since.getTime() - ID_SLACK_MS);
  return readPages((last) => {
    const isOnPage = sql`id > ${last?.id ?? firstId} and received_at >= ${since}`;
    const always = [sql`account_id = ${accountId}`, isOnPage];
    const { where, suffix } = joinFilter(always, listConditions(selection));
    return query<StoredRecord>(
      db,
      `imports_page${suffix}`,
      sql`select ${recordColumns},
          case when ${isOpen} and (channel <> 'batch' or position is not null) then payload end as payload
        from imports
        where ${where}
        order by id limit ${PAGE_MAX_ROWS}`,
    );
  });
}

/** Makes the conditions of a selection, each with a name for the statement. */
function listConditions({ open, ids, outcome, fileName, runId }: Selection) {
  return {
    open: open && isOpen,
    ids: ids && sql`id = any(${ids}::uuid[])`,
    outcome: outcome && sql`outcome = ${outcome}`,
    file: fileName !== undefined && sql`file ->> 'name' = ${fileName}`,
    run: runId != null && sql`run_id = ${runId}`,
    withoutRun: runId === null && sql`run_id is null`,
  };
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
    sql`select ${recordColumns}, payload from imports where account_id = ${accountId} and id = ${id}`,
  );
  return row;
}

/** Deletes the whole log of an account. */
export async function deleteRecords(db: Queryable, accountId: string): Promise<void> {
  await query(
    db,
    'import_records_delete',
    sql`delete from imports where account_id = ${accountId}`,
  );
}

/** Dismisses open records. Returns how many were open, and how many bytes no longer count against the limit. */
export async function dismissRecords(
  db: Queryable,
  accountId: string,
  ids: string[],
  { dismissal, now }: { dismissal: Dismissal; now: Date },
): Promise<{ count: number; freedBytes: number }> {
  const rows = await query<{ bytes: number | null }>(
    db,
    'import_records_dismiss',
    sql`update imports set settled_at = ${now}, dismissal = ${JSON.stringify(dismissal)}
      where account_id = ${accountId} and id = any(${ids}::uuid[]) and ${isOpen}
      returning case when channel <> 'file' then octet_length(payload) + octet_length(result::text) end as bytes`,
  );
  const freedBytes = rows.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  return { count: rows.length, freedBytes };
}

/** Locks the open ones among these records until the transaction ends, so that only the caller settles them. Returns their ids. */
export async function lockOpenRecords(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string }>(
    tx,
    'import_records_lock',
    sql`select id from imports where account_id = ${accountId} and id = any(${ids}::uuid[]) and ${isOpen}
      order by id for update`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Conditions on open records. */
interface OpenSelection {
  ids: string[] | undefined;
  code: string | undefined;
  runId: string | undefined;
}

/** Finds the ids of open records, the oldest first. */
export async function findOpenIds(
  db: Queryable,
  accountId: string,
  { ids, code, runId }: OpenSelection,
  limit: number,
): Promise<string[]> {
  const { where, suffix } = joinFilter([sql`account_id = ${accountId}`, isOpen], {
    ids: ids && sql`id = any(${ids.filter(isUuid)}::uuid[])`,
    code: code !== undefined && sql`result ->> 'code' = ${code}`,
    run: runId !== undefined && sql`run_id = any(${[runId].filter(isUuid)}::uuid[])`,
  });
  const rows = await query<{ id: string }>(
    db,
    `imports_find_open${suffix}`,
    sql`select id from imports where ${where} order by id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
