import sql, { empty, type Sql } from 'sql-template-tag';
import { selectActorName } from '../../access/index.ts';
import { joinAnd, query, queryOnce, type Queryable } from '../../platform/database/index.ts';
import { countRows, cursorInvalid, type ListQuery } from '../../platform/http/index.ts';
import { isUuid, makeFirstId, isWrittenInstant, toDate } from '../../platform/text/index.ts';
import { isVisible, type Reader } from '../list/conditions.ts';
import type { ReadActivity } from './rules.ts';
import type { ActivityFilter } from './schemas.ts';

/** Selects the columns of activities. */
export function selectActivities(accountId: string): Sql {
  return sql`activities.id, activities.contact_id as "contactId", activities.type, activities.body,
    activities.outcome, activities.values, activities.occurred_at as "occurredAt",
    activities.actor_type as "actorType", activities.actor_id as "actorId",
    ${selectActorName(accountId, sql`activities.actor_id`)} as "actorName",
    activities.created_at as "createdAt", activities.edited_at as "editedAt", activities.version`;
}

/** Builds the condition of the activities of contacts that the principal may see. */
function isOfVisible(reader: Reader): Sql {
  const ofAccount = sql`activities.account_id = ${reader.accountId}`;
  if (reader.contacts === 'all') return ofAccount;
  return sql`${ofAccount} and exists (
    select from contacts where ${isVisible(reader)} and contacts.id = activities.contact_id
  )`;
}

/** Builds the condition of the activities that the principal may see and that match a filter. */
export function matchesActivityFilter(reader: Reader, filter: ActivityFilter): Sql {
  const { accountId } = reader;
  const { type, actor, contact, project, updated_since: since } = filter;
  const conditions: (Sql | undefined)[] = [
    isOfVisible(reader),
    // Always true. With it, PostgreSQL can use the partial index of lists, which has the same condition.
    sql`activities.version > 0`,
    type && sql`activities.type = any(${type})`,
    actor && sql`activities.actor_id = any(${actor.filter(isUuid)}::uuid[])`,
    contact && sql`activities.contact_id = any(${contact.filter(isUuid)}::uuid[])`,
    project &&
      sql`exists (
        select from contact_links link
        where link.account_id = ${accountId} and link.contact_id = activities.contact_id
          and link.project_id = any(${project.filter(isUuid)}::uuid[])
      )`,
    since === undefined ? undefined : isUpdatedSince(toDate(since)),
  ];
  return joinAnd(conditions);
}

/** Builds the condition of activities that were recorded or edited after a time. The time of the recording is in the id. */
function isUpdatedSince(time: Date): Sql {
  return sql`(activities.id >= ${makeFirstId(time.getTime() + 1)} or activities.edited_at > ${time})`;
}

type ActivityQuery = Pick<ListQuery<ActivityFilter>, 'filter' | 'limit' | 'after' | 'isCounted'>;

/** Lists activities, the newest first: one more than the limit if there are as many. */
export async function listActivities(
  lists: Queryable,
  reader: Reader,
  { filter, limit, after, isCounted }: ActivityQuery,
): Promise<{ rows: ReadActivity[]; count?: number | undefined }> {
  const where = matchesActivityFilter(reader, filter);
  const { value, id } = after ?? {};
  if (after !== null && (typeof value !== 'string' || !isWrittenInstant(value)))
    throw cursorInvalid();
  const isAfter =
    after === null ? empty : sql`and (activities.occurred_at, activities.id) < (${value}, ${id})`;
  const rows = await queryOnce<ReadActivity>(
    lists,
    'activities_list',
    sql`select ${selectActivities(reader.accountId)} from activities where ${where} ${isAfter}
      order by activities.occurred_at desc, activities.id desc limit ${limit + 1}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from activities where ${where}`;
  return { rows, count: await countRows(lists, 'activities_count', matching) };
}

/** Finds activities by their ids, without those of contacts that the principal may not see. */
export function findVisibleActivities(
  db: Queryable,
  reader: Reader,
  ids: string[],
): Promise<ReadActivity[]> {
  return query<ReadActivity>(
    db,
    `activities_find_${reader.contacts}`,
    // `order by` and `limit` make PostgreSQL look up each activity by the primary key, whatever its statistics say.
    sql`select ${selectActivities(reader.accountId)} from unnest(${ids}::uuid[]) as wanted
      cross join lateral (
        select * from activities where account_id = ${reader.accountId} and id >= wanted
        order by id limit 1
      ) activities
      where activities.id = wanted and ${isOfVisible(reader)}`,
  );
}
