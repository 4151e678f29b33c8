import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { makeFirstId } from '../../platform/text/index.ts';
import type { OutcomeCounts } from '../submission.ts';

/** An import of a file, as its records describe it. */
export interface Run extends OutcomeCounts {
  id: string;
  /** The first of its records. */
  firstId: string;
  startedAt: Date;
  fileName: string;
  /** How many of the refused rows are not settled. */
  open: number;
  /** How many rows had a contact that the undo of the run has removed. */
  undone: number;
}

const OUTCOME_COUNTS = sql`count(*) filter (where outcome = 'created')::int as created,
  count(*) filter (where outcome = 'merged')::int as merged,
  count(*) filter (where outcome = 'refused')::int as refused`;

/** Lists the runs of an account in the order of their first records. */
export function listRuns(db: Queryable, accountId: string, since: Date): Promise<Run[]> {
  return query<Run>(
    db,
    'import_runs_list',
    sql`select run_id as id, min(id::text)::uuid as "firstId", min(received_at) as "startedAt",
        min(file ->> 'name') as "fileName", ${OUTCOME_COUNTS},
        count(*) filter (where outcome = 'refused' and settled_at is null)::int as open,
        count(undone_at)::int as undone
      from imports where account_id = ${accountId} and run_id is not null
      group by run_id having min(received_at) >= ${since}
      order by "firstId"`,
  );
}

/** Counts the rows of a run in the log by their outcomes. */
export async function countRun(
  db: Queryable,
  accountId: string,
  runId: string,
): Promise<OutcomeCounts> {
  const [row] = await query<OutcomeCounts>(
    db,
    'import_run_count',
    sql`select ${OUTCOME_COUNTS} from imports where account_id = ${accountId} and run_id = ${runId}`,
  );
  return row ?? { created: 0, merged: 0, refused: 0 };
}

/** Counts the contacts of a run that its undo has removed. */
export async function countUndone(
  db: Queryable,
  accountId: string,
  runId: string,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    db,
    'import_run_count_undone',
    sql`select count(distinct coalesce(settlement, result) ->> 'contactId')::int as count
      from imports where account_id = ${accountId} and run_id = ${runId} and undone_at is not null`,
  );
  return row?.count ?? 0;
}

/** A contact that accepted rows of a run created or merged into. */
export interface RunContact {
  contactId: string;
  /** Its version right after the last of these rows. */
  version: number;
  isCreated: boolean;
  recordIds: string[];
}

/**
 * Finds contacts of a run with ids after one id, in the order of their ids. A record that a retry settled counts with the result
 * of the retry.
 */
export function findRunContacts(
  db: Queryable,
  accountId: string,
  runId: string,
  { after, limit }: { after: string; limit: number },
): Promise<RunContact[]> {
  return query<RunContact>(
    db,
    'import_run_contacts_find',
    sql`select "contactId", max(contact_version) as version, bool_or(action = 'created') as "isCreated",
        array_agg(id) as "recordIds"
      from (
        select id, contact_version, (accepted ->> 'contactId')::uuid as "contactId", accepted ->> 'action' as action
        from (
          select id, contact_version, case when settled_by is null then coalesce(settlement, result) else result end as accepted
          from imports where account_id = ${accountId} and run_id = ${runId} and undone_at is null
        ) record
      ) accepted
      where "contactId" > ${after}
      group by "contactId" order by "contactId" limit ${limit}`,
  );
}

/** Finds when the first row of a run was received; undefined when the log has no such run. */
export async function findRunStart(
  db: Queryable,
  accountId: string,
  runId: string,
): Promise<Date | undefined> {
  const [row] = await query<{ startedAt: Date }>(
    db,
    'import_run_find',
    sql`select received_at as "startedAt" from imports
      where account_id = ${accountId} and run_id = ${runId} order by id limit 1`,
  );
  return row?.startedAt;
}

/** Finds which of these contacts leads over HTTP have merged into since a time. */
export async function findContactsFoundByLeads(
  db: Queryable,
  accountId: string,
  since: Date,
  contactIds: string[],
): Promise<Set<string>> {
  const isLead = sql`account_id = ${accountId} and run_id is null`;
  const isOneOf = sql`= any(${contactIds}::text[])`;
  const rows = await query<{ contactId: string | null }>(
    db,
    'import_contacts_of_leads_find',
    sql`select result ->> 'contactId' as "contactId" from imports
        where ${isLead} and id > ${makeFirstId(since.getTime())} and outcome <> 'refused'
          and result ->> 'contactId' ${isOneOf}
      union
      select settlement ->> 'contactId' from imports where ${isLead} and settled_at >= ${since}
        and settlement ->> 'contactId' ${isOneOf}`,
  );
  return new Set(rows.flatMap(({ contactId }) => contactId ?? []));
}

/** Marks records whose contact was removed, and reopens the earlier records that these had settled. */
export async function markUndone(
  tx: Queryable,
  accountId: string,
  recordIds: string[],
  { now, since }: { now: Date; since: Date },
): Promise<void> {
  await query(
    tx,
    'import_records_undo',
    sql`update imports set undone_at = ${now}
      where account_id = ${accountId} and id = any(${recordIds}::uuid[])`,
  );
  await query(
    tx,
    'import_records_open_again',
    sql`update imports set settled_at = null, settlement = null, settled_by = null
      where account_id = ${accountId} and settled_at >= ${since} and settled_by = any(${recordIds}::uuid[])`,
  );
}

/** A run of a file in the log, and the name of its file. */
export interface NamedRun {
  id: string;
  name: string;
}

/** Lists the runs of files in the log. The recursion reads one record of each run; `distinct` would read those of all rows. */
export function listNamedRuns(tx: Queryable, accountId: string): Promise<NamedRun[]> {
  return query<NamedRun>(
    tx,
    'import_runs_list_names',
    sql`with recursive runs as (
        (select run_id as id, file ->> 'name' as name from imports
          where account_id = ${accountId} and run_id is not null order by run_id limit 1)
        union all
        select next.id, next.name from runs cross join lateral (
          select run_id as id, file ->> 'name' as name from imports
          where account_id = ${accountId} and run_id > runs.id order by run_id limit 1) next
      )
      select id, name from runs`,
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
