import sql from 'sql-template-tag';
import { query, type Queryable } from '../../../platform/database/index.ts';

/**
 * Empties records of the log: their payload, result and dismissal. Settles the open ones. Returns the ids of the runs of files that
 * the records belong to.
 */
export async function emptyRecords(
  tx: Queryable,
  accountId: string,
  ids: string[],
  now: Date,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await query<{ runId: string | null }>(
    tx,
    'imports_empty',
    sql`update imports set payload = null, result = '{"erased":true}', ignored_fields = null,
        dismissal = jsonb_set(dismissal::jsonb, '{reason}', 'null')::json,
        settlement = case when settlement is not null then '{"erased":true}'::json end,
        settled_at = case when outcome = 'refused' then coalesce(settled_at, ${now}) end
      where account_id = ${accountId} and id = any(${ids}::uuid[])
      returning run_id as "runId"`,
  );
  return [...new Set(rows.flatMap(({ runId }) => runId ?? []))];
}
