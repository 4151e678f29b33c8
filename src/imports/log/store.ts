import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { ImportRecord } from './record.ts';

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
