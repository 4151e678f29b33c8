import sql, { empty, type Sql } from 'sql-template-tag';
import { IS_LISTED, isVisible, type Reader } from '../contacts/index.ts';
import { queryOnce, type Queryable } from '../platform/database/index.ts';
import { isUuid } from '../platform/text/index.ts';
import type { Interval } from './rules.ts';
import type { Group, ResponseFigure, StockFigure } from './schemas.ts';

/** How many there are in an interval, by its index, and in a group. */
export interface Count {
  index: number;
  group: string | null;
  count: number;
}

const GROUP_COLUMNS: Record<Group, Sql> = {
  source: sql`contacts.source`,
  stage: sql`contacts.stage`,
  user: sql`contacts.assigned_account_user_id`,
  project: sql`contacts.project_ids`,
};

/**
 * Counts rows of each interval in each group. PostgreSQL reads the rows of one interval after the other by an index of their
 * times, which takes half as long as to find the interval of each row. A contact of two projects counts in both.
 */
function selectCounts(intervals: Interval[], rows: (between: (time: Sql) => Sql) => Sql): Sql {
  const between = (time: Sql) => sql`${time} >= span."from" and ${time} < span.until`;
  return sql`select span.index - 1 as index, counted."group", counted.count
    from unnest(
      ${intervals.map(({ from }) => from)}::timestamptz[], ${intervals.map(({ until }) => until)}::timestamptz[]
    ) with ordinality as span("from", until, index)
    cross join lateral (${rows(between)}) counted where counted.count > 0`;
}

/**
 * Counts the rows of an interval in each group. A contact has a list of projects: PostgreSQL counts the contacts of each list, and
 * then adds up the counts of each project.
 */
function countGroups(group: Group | undefined, rows: Sql): Sql {
  const column = group === undefined ? sql`null::text` : GROUP_COLUMNS[group];
  if (group !== 'project')
    return sql`select ${column}::text as "group", count(*)::int as count ${rows} group by 1`;
  return sql`select project_id::text as "group", sum(lists.count)::int as count
    from (select ${column} as project_ids, count(*) as count ${rows} group by 1) lists
    left join lateral unnest(lists.project_ids) project_id on true
    group by 1`;
}

/** Counts the contacts that were created. */
export function countNewContacts(
  lists: Queryable,
  reader: Reader,
  intervals: Interval[],
  group: Group | undefined,
): Promise<Count[]> {
  return queryOnce<Count>(
    lists,
    'figures_new_contacts',
    selectCounts(intervals, (between) =>
      countGroups(
        group,
        sql`from contacts
          where ${isVisible(reader)} and ${IS_LISTED} and ${between(sql`contacts.created_at`)}`,
      ),
    ),
  );
}

/** Counts the enquiries of contacts that the caller may see. */
export function countEnquiries(
  lists: Queryable,
  reader: Reader,
  intervals: Interval[],
  group: Group | undefined,
): Promise<Count[]> {
  const { accountId } = reader;
  return queryOnce<Count>(
    lists,
    'figures_enquiries',
    selectCounts(intervals, (between) =>
      countGroups(
        group,
        sql`from activities
          join contacts on ${isVisible(reader)} and contacts.id = activities.contact_id
          where activities.account_id = ${accountId} and activities.type = 'enquiry' and activities.version > 0
            and ${between(sql`activities.occurred_at`)}`,
      ),
    ),
  );
}

/** Counts the refused imports in the log. */
export function countRefused(
  lists: Queryable,
  accountId: string,
  intervals: Interval[],
): Promise<Count[]> {
  return queryOnce<Count>(
    lists,
    'figures_refused',
    selectCounts(
      intervals,
      (between) => sql`select null as "group", count(*)::int as count from imports
        where account_id = ${accountId} and outcome = 'refused' and ${between(sql`received_at`)}`,
    ),
  );
}

/** Counts the units of each project and status, and adds up their prices, cents too, by currency. */
export function sumStock(
  lists: Queryable,
  accountId: string,
  projects: string[] | undefined,
): Promise<StockFigure[]> {
  const ofProjects =
    projects === undefined
      ? empty
      : sql`and units.project_id = any(${projects.filter(isUuid)}::uuid[])`;
  return queryOnce<StockFigure>(
    lists,
    'figures_stock',
    sql`select units.project_id as "projectId", units.status, coalesce(upper(units.currency), accounts.default_currency) as currency,
        count(*)::int as count,
        coalesce(sum(units.price::numeric), 0)::float8 as value, count(units.price)::int as priced
      from accounts join units on units.account_id = accounts.account_id
      where accounts.account_id = ${accountId} ${ofProjects}
      group by 1, 2, 3 order by 1, 2, 3`,
  );
}

/** Measures how soon the contacts of each person that were created between two instants were answered. */
export function measureResponses(
  lists: Queryable,
  reader: Reader,
  { from, until, now }: { from: Date; until: Date; now: Date },
): Promise<ResponseFigure[]> {
  return queryOnce<ResponseFigure>(
    lists,
    'figures_responses',
    sql`select contacts.assigned_account_user_id as "userId", count(*)::int as contacts,
        count(answer.at)::int as answered, round(extract(epoch from
          percentile_cont(0.5) within group (order by answer.at - contacts.created_at)
        ))::float8 as "medianSeconds"
      from contacts left join lateral (select first_answer_at as at where first_answer_at <= ${now}) answer on true
      where ${isVisible(reader)} and ${IS_LISTED}
        and contacts.created_at >= ${from} and contacts.created_at < ${until}
      group by 1 order by 1 nulls last`,
  );
}
