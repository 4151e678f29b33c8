import sql, { empty, type Sql } from 'sql-template-tag';
import { type Inserting, textArray, query, type Queryable } from '../../platform/database/index.ts';
import type { ImportRecord } from './record.ts';

const SETTLE = sql`on conflict (account_id, id) do update set settled_at = excluded.received_at, settlement = excluded.result
  where imports.settled_at is null and excluded.outcome <> 'refused'`;

/**
 * The insert of records. One that is there already, refused and now put through
 * again, is settled when it was accepted, and stays as it was when it was not.
 */
export function recordsInsert(
  accountId: string,
  records: ImportRecord[],
  { condition = empty, areNew = false }: Inserting = {},
): Sql {
  // The rows of a file are read alike: how is said once, and each names its place there.
  const files = [...new Set(records.map(({ file }) => file))];
  const rows = records.map(({ payload: _beside, ...record }) => ({
    ...record,
    file: files.indexOf(record.file),
  }));
  return sql`insert into imports (account_id, id, received_at, channel, api_key_id, request_id, position, file,
        payload, outcome, result)
      select ${accountId}, r.id, r."receivedAt", r.channel, r."apiKeyId", r."requestId", r.position,
        nullif(${JSON.stringify(files)}::jsonb -> r.file, 'null'), r.payload, r.outcome, r.result
      from rows from (
        json_to_recordset(${JSON.stringify(rows)}::json) as (id uuid, "receivedAt" timestamptz(3), channel text,
          "apiKeyId" uuid, "requestId" text, position integer, file integer, outcome text, result json),
        unnest(${textArray(records.map(({ payload }) => payload))}::text[])
      ) as r(id, "receivedAt", channel, "apiKeyId", "requestId", position, file, outcome, result, payload)
      ${condition}
      ${areNew ? empty : SETTLE}`;
}

/** Writes records alone: of imports that failed with all that they would have changed. */
export async function recordsWrite(
  db: Queryable,
  accountId: string,
  records: ImportRecord[],
): Promise<void> {
  await query(db, 'import_records_write', recordsInsert(accountId, records));
}
