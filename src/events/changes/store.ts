import sql, { type Sql } from 'sql-template-tag';
import { selectActorName } from '../../access/index.ts';
import { joinFilter, query, type Queryable } from '../../platform/database/index.ts';
import { COUNT_MAX, type ListQuery } from '../../platform/http/index.ts';
import { isStorable, isUuid, toDate } from '../../platform/text/index.ts';
import { makeEventId, readEventId } from '../ids.ts';
import type { ChangeFilter, ChangeItem } from './schemas.ts';

/** The changes of one row in one transaction, as the database stores them. */
interface StoredChange extends Pick<
  ChangeItem,
  'subjectType' | 'subject' | 'actor' | 'importId' | 'requestId'
> {
  /** A text, because the driver returns a bigint as one. */
  sequence: string;
  at: Date;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/**
 * The fields with lists as values. A row has the items that were added and removed, and not the whole list. Each item counts as a
 * change of its own.
 */
export const LIST_FIELDS = ['tags', 'links'];

/** Builds the SQL of the actor of a change, as the API shows it. */
export const selectActor = (accountId: string): Sql => sql`json_build_object(
    'type', changes.actor_type, 'id', changes.actor_id, 'name', coalesce(
      case changes.actor_type when 'system' then 'offplan' end,
      ${selectActorName(accountId, sql`changes.actor_id`)}, ''
    )
  )`;

/** Finds the former values of a field, each with the time at which it was last replaced. */
export function findFormerValues(
  db: Queryable,
  accountId: string,
  subjects: string[],
  field: string,
): Promise<{ value: string; replacedAt: Date }[]> {
  return query<{ value: string; replacedAt: Date }>(
    db,
    'changes_find_former',
    sql`select former.value, max(former.at) as "replacedAt"
      from (
        select before ->> ${field} as value, at from changes
        where account_id = ${accountId} and subject = any(${subjects}::uuid[])
        offset 0
      ) former
      where former.value is not null group by former.value`,
  );
}

/** Lists changes, the newest first: one more than the limit, if there are as many. */
export async function listChanges(
  db: Queryable,
  accountId: string,
  { filter, limit, after, isCounted }: ListQuery<ChangeFilter>,
): Promise<{ rows: ChangeItem[]; count?: number | undefined }> {
  const { where, suffix } = joinFilter([sql`account_id = ${accountId}`], listConditions(filter));
  const place = after === null ? null : readEventId(after.id);
  // `offset 0` makes PostgreSQL find the changes of a row by its id, whatever its statistics say.
  const source = filter.subject
    ? sql`(select * from changes where ${where} offset 0) changes`
    : sql`changes`;
  // Every row has at least one change. One more row is for that of the cursor, and one for the item after the limit.
  const rows = await query<StoredChange>(
    db,
    `changes_list${suffix}`,
    sql`select sequence, subject_type as "subjectType", subject, at, before, after, import_id as "importId",
        request_id as "requestId",
        ${selectActor(accountId)} as actor
      from ${source}
      where ${where} and sequence <= ${place?.sequence ?? Number.MAX_SAFE_INTEGER}
      order by sequence desc limit ${limit + 2}`,
  );
  const found = rows
    .flatMap((row) => flatten(row, filter.field))
    .filter(({ id }) => place === null || isAfter(readEventId(id), place))
    .slice(0, limit + 1);
  if (!isCounted) return { rows: found };
  const [counted] = await query<{ count: number }>(
    db,
    `changes_count${suffix}`,
    sql`select coalesce(sum(${countFields(filter.field)}), 0)::int as count
      from (select before, after from changes where ${where} limit ${COUNT_MAX + 1}) found`,
  );
  return { rows: found, count: counted && Math.min(counted.count, COUNT_MAX + 1) };
}

function isAfter(
  own: ReturnType<typeof readEventId>,
  place: ReturnType<typeof readEventId>,
): boolean {
  return own.sequence < place.sequence || own.index > place.index;
}

/** Makes one change for each field of a row, and for each item of a list. The id of a change contains its position in the row. */
function flatten(row: StoredChange, fields: string[] | undefined): ChangeItem[] {
  const { sequence: digits, at, before: old, after: values, ...own } = row;
  const [before, after] = [old ?? {}, values ?? {}];
  const pairs = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) =>
    listValues(field, before[field] ?? null, after[field] ?? null),
  );
  return pairs
    .map((pair, index) => ({
      id: makeEventId({ at, sequence: Number(digits), subject: own.subject, index: index + 1 }),
      subjectType: own.subjectType,
      subject: own.subject,
      ...pair,
      at: at.toISOString(),
      actor: own.actor,
      importId: own.importId,
      requestId: own.requestId,
    }))
    .filter(({ field }) => fields === undefined || fields.includes(field));
}

function listValues(field: string, before: unknown, after: unknown) {
  if (!LIST_FIELDS.includes(field)) return [{ field, before, after }];
  const items = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []);
  return [
    ...items(before).map((item) => ({ field, before: item, after: null })),
    ...items(after).map((item) => ({ field, before: null, after: item })),
  ];
}

/** Counts the changes that `flatten` makes of a row. */
function countFields(fields: string[] | undefined): Sql {
  const isWanted =
    fields === undefined ? sql`true` : sql`key = any(${fields.filter(isStorable)}::text[])`;
  const countItems = (side: Sql) => sql`(
    select coalesce(sum(json_array_length(value)), 0) from json_each(${side})
    where key = any(${LIST_FIELDS}::text[]) and ${isWanted}
  )`;
  return sql`(
    select count(distinct key) from (
      select json_object_keys(before) as key union all select json_object_keys(after)
    ) named where key <> all(${LIST_FIELDS}::text[]) and ${isWanted}
  ) + ${countItems(sql`before`)} + ${countItems(sql`after`)}`;
}

/** Makes the conditions of a filter, each with a name for the statement. */
function listConditions(filter: ChangeFilter) {
  const { subject, subjectType, field, actor, after, before } = filter;
  const actors = actor?.filter((each) => isUuid(each));
  const hasSystem = actor?.includes('system') ?? false;
  return {
    subject: subject && sql`subject = any(${subject.filter(isUuid)}::uuid[])`,
    type: subjectType && sql`subject_type = any(${subjectType}::text[])`,
    field: field && sql`(${hasField(field, sql`before`)} or ${hasField(field, sql`after`)})`,
    actor:
      actors &&
      sql`(actor_id = any(${actors}::uuid[]) or (${hasSystem}::boolean and actor_type = 'system'))`,
    after: after !== undefined && sql`at > ${toDate(after)}`,
    before: before !== undefined && sql`at < ${toDate(before)}`,
  };
}

const hasField = (fields: string[], side: Sql): Sql =>
  sql`exists (select from json_object_keys(${side}) as key where key = any(${fields.filter(isStorable)}::text[]))`;
