import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { NIL_ID } from '../../platform/text/index.ts';

/** Finds the ids of the accepted imports, or accepted retries, that created or filled one of these contacts. */
export async function findImportsOf(
  tx: Queryable,
  accountId: string,
  contactIds: string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'imports_find_of_contacts',
    sql`select id from imports
      where account_id = ${accountId}
        and (result ->> 'contactId' = any(${contactIds}) or settlement ->> 'contactId' = any(${contactIds}))`,
  );
  return rows.map(({ id }) => id);
}

/** A refused import whose payload the log keeps. */
interface RefusedPayload {
  id: string;
  receivedAt: Date;
  payload: string;
}

/** Few, since a payload can have a megabyte. */
const PAGE_MAX_ROWS = 50;

/** Reads the payloads of refused imports, page by page. */
export async function* readRefusedPayloads(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<RefusedPayload[]> {
  let after = NIL_ID;
  for (;;) {
    const page = await query<RefusedPayload>(
      tx,
      'imports_read_refused_payloads',
      sql`select id, received_at as "receivedAt", payload from imports
        where account_id = ${accountId} and id > ${after} and outcome = 'refused' and payload is not null
        order by id limit ${PAGE_MAX_ROWS}`,
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}

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

/** A run of a file in the log, and the name of its file. */
export interface NamedRun {
  id: string;
  name: string;
}

/** Lists the runs of files in the log. It reads the records of all rows. */
export function listNamedRuns(tx: Queryable, accountId: string): Promise<NamedRun[]> {
  return query<NamedRun>(
    tx,
    'import_runs_list_names',
    sql`select run_id as id, min(file ->> 'name') as name from imports
      where account_id = ${accountId} and run_id is not null group by run_id`,
  );
}

/** Gives the file of these runs another name in the log. */
export async function renameFileOfRuns(
  tx: Queryable,
  accountId: string,
  runIds: string[],
  name: string,
): Promise<void> {
  await query(
    tx,
    'import_runs_rename',
    sql`update imports set file = jsonb_set(file::jsonb, '{name}', to_jsonb(${name}::text))::json
      where account_id = ${accountId} and run_id = any(${runIds}::uuid[])`,
  );
}
