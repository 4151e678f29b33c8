import sql from 'sql-template-tag';
import { joinFilter, query, type Queryable } from '../../platform/database/index.ts';
import { countRows, type ListQuery } from '../../platform/http/index.ts';
import { isUuid, MAX_ID, toDate } from '../../platform/text/index.ts';
import type { ImportFilter } from './schemas.ts';
import { isOpen, recordColumns, type StoredRecord } from './store.ts';

/* The records of imports as lists show them. */

/** A record with the name of the API key or person that sent it. */
export interface NamedRecord extends StoredRecord {
  keyName: string | null;
  userName: string | null;
  /** The present name of the person or the API key that dismissed it. Only a record that is read whole has it. */
  dismisserName?: string | null;
}

/** Selects the names of the sender, whose id is in `api_key_id`, even when it is a person. */
const selectSenderNames = (accountId: string) => sql`(
    select name from api_keys where api_keys.account_id = ${accountId} and api_keys.id = imports.api_key_id
  ) as "keyName", (
    select name from users where users.account_id = ${accountId} and users.id = imports.api_key_id
  ) as "userName"`;

/** Selects the name of the person or the API key that dismissed a refused import. */
const selectDismisserName = (accountId: string) => sql`coalesce((
    select name from users
    where users.account_id = ${accountId} and users.id = (dismissal #>> '{actor,id}')::uuid
  ), (
    select name from api_keys
    where api_keys.account_id = ${accountId} and api_keys.id = (dismissal #>> '{actor,id}')::uuid
  )) as "dismisserName"`;

/** Finds a record with the name of its sender; undefined when the account has none with this id. */
export async function findNamedRecord(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<NamedRecord | undefined> {
  const [record] = await readWholeRecords(db, accountId, [id]);
  return record;
}

/** Finds records without their payloads. */
export function findNamedRecords(
  db: Queryable,
  accountId: string,
  ids: string[],
): Promise<NamedRecord[]> {
  return query<NamedRecord>(
    db,
    'import_records_find_named',
    sql`select ${recordColumns}, null as payload, ${selectSenderNames(accountId)} from imports
      where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

/** Reads records with their payloads, in the order of their ids. */
export function readWholeRecords(
  db: Queryable,
  accountId: string,
  ids: string[],
): Promise<NamedRecord[]> {
  return query<NamedRecord>(
    db,
    'import_records_read_whole',
    sql`select ${recordColumns}, payload, ${selectSenderNames(accountId)},
        ${selectDismisserName(accountId)} from imports
      where account_id = ${accountId} and id = any(${ids}::uuid[]) order by id`,
  );
}

/** Lists records without their payloads, the newest first: one more than the limit, if there are as many. */
export async function listRecords(
  db: Queryable,
  accountId: string,
  { filter, limit, after, isCounted }: ListQuery<ImportFilter>,
): Promise<{ rows: NamedRecord[]; count?: number | undefined }> {
  const { where, suffix } = joinFilter([sql`account_id = ${accountId}`], listConditions(filter));
  const rows = await query<NamedRecord>(
    db,
    `imports_list${suffix}`,
    sql`select ${recordColumns}, null as payload, ${selectSenderNames(accountId)} from imports
      where ${where} and id < ${after?.id ?? MAX_ID}
      order by id desc limit ${limit + 1}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from imports where ${where}`;
  return { rows, count: await countRows(db, `imports_count${suffix}`, matching) };
}

/** Makes the conditions of the filter of a list, each with a name for the statement. */
function listConditions(filter: ImportFilter) {
  const { outcome, open, channel, code, file, receivedAfter, receivedBefore } = filter;
  return {
    outcome: outcome && sql`outcome = any(${outcome})`,
    open: open === true && isOpen,
    closed: open === false && sql`not (${isOpen})`,
    channel: channel && sql`channel = any(${channel})`,
    code: code && sql`outcome = 'refused' and result ->> 'code' = any(${code})`,
    file: file && sql`run_id = any(${file.filter(isUuid)}::uuid[])`,
    after: receivedAfter !== undefined && sql`received_at > ${toDate(receivedAfter)}`,
    before: receivedBefore !== undefined && sql`received_at < ${toDate(receivedBefore)}`,
  };
}
