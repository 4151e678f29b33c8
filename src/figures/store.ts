import sql, { empty, type Sql } from 'sql-template-tag';
import { IS_INDEXED, isVisible, type Reader } from '../contacts/index.ts';
import { queryOnce, type Queryable } from '../platform/database/index.ts';
import { isUuid } from '../platform/text/index.ts';
import type { Interval } from './rules.ts';
import type { Group, LeadQuery, ResponseFigure, StockFigure } from './schemas.ts';

/** How many rows of one group there are in an interval. */
export interface Count {
  /** The index of the interval in the request. */
  index: number;
  /** A source, a stage or a person; for `project` the list of a contact's projects as PostgreSQL writes it, such as {…,…}. */
  group: string | null;
  count: number;
}

const GROUP_COLUMNS: Record<Group, Sql> = {
  source: sql`contacts.source`,
  stage: sql`contacts.stage`,
  user: sql`contacts.assigned_account_user_id`,
  project: sql`contacts.project_ids`,
};

/** How leads are grouped, and the projects of the contacts whose leads count. */
type LeadChoice = Pick<LeadQuery, 'groupBy' | 'project'>;

/** Builds the condition that a contact is linked to one of the projects. */
function isOfProjects(projects: string[] | undefined): Sql {
  if (projects === undefined) return empty;
  return sql`and contacts.project_ids && ${projects.filter(isUuid)}::uuid[]`;
}

/**
 * Counts rows of each interval in each group. PostgreSQL reads the rows of each interval by an index of their times, which takes
 * half as long as finding the interval of each row. Each half of the intervals has a statement of its own, so that two cores
 * share a long span.
 */
async function countByInterval(
  lists: Queryable,
  name: string,
  intervals: Interval[],
  selectCounts: (isBetween: (time: Sql) => Sql) => Sql,
): Promise<Count[]> {
  const isBetween = (time: Sql) => sql`${time} >= span."from" and ${time} < span.until`;
  const middle = Math.ceil(intervals.length / 2);
  const halves = [intervals.slice(0, middle), intervals.slice(middle)];
  const counts = await Promise.all(
    halves.map(async (half, place) => {
      if (half.length === 0) return [];
      const from = half.map((interval) => interval.from);
      const until = half.map((interval) => interval.until);
      return queryOnce<Count>(
        lists,
        name,
        sql`select ${place * middle} + span.index::int - 1 as index, counted."group"::text, counted.count
          from unnest(${from}::timestamptz[], ${until}::timestamptz[]) with ordinality as span("from", until, index)
          cross join lateral (${selectCounts(isBetween)}) counted where counted.count > 0`,
      );
    }),
  );
  return counts.flat();
}

/** Counts rows in each group; without groups, all of them. */
function countGroups(group: Group | undefined, rows: Sql): Sql {
  if (group === undefined) return sql`select null as "group", count(*)::int as count ${rows}`;
  return sql`select ${GROUP_COLUMNS[group]} as "group", count(*)::int as count ${rows} group by 1`;
}

/** Counts the contacts that were created. */
export function countNewContacts(
  lists: Queryable,
  reader: Reader,
  intervals: Interval[],
  { groupBy, project }: LeadChoice,
): Promise<Count[]> {
  return countByInterval(lists, 'figures_new_contacts', intervals, (isBetween) =>
    countGroups(
      groupBy,
      sql`from contacts
        where ${isVisible(reader)} and ${IS_INDEXED} ${isOfProjects(project)}
          and ${isBetween(sql`contacts.created_at`)}`,
    ),
  );
}

/** Counts the enquiries of contacts that the caller may see. It joins contacts only when a filter or a group needs them. */
export function countEnquiries(
  lists: Queryable,
  reader: Reader,
  intervals: Interval[],
  { groupBy, project }: LeadChoice,
): Promise<Count[]> {
  const { accountId, contacts } = reader;
  const joined =
    contacts === 'all' && groupBy === undefined && project === undefined
      ? empty
      : sql`join contacts on ${isVisible(reader)} and ${IS_INDEXED} ${isOfProjects(project)}
          and contacts.id = activities.contact_id`;
  return countByInterval(lists, 'figures_enquiries', intervals, (isBetween) =>
    countGroups(
      groupBy,
      sql`from activities ${joined}
        where activities.account_id = ${accountId} and activities.type = 'enquiry' and activities.version > 0
          and ${isBetween(sql`activities.occurred_at`)}`,
    ),
  );
}

/** Counts the refused imports in the log. */
export function countRefused(
  lists: Queryable,
  accountId: string,
  intervals: Interval[],
): Promise<Count[]> {
  return countByInterval(lists, 'figures_refused', intervals, (isBetween) =>
    countGroups(
      undefined,
      sql`from imports where account_id = ${accountId} and outcome = 'refused' and ${isBetween(sql`received_at`)}`,
    ),
  );
}

/** Counts the units of each project and status, and adds up their prices by currency. Prices may have cents. */
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

/**
 * Measures how soon each person answered the contacts that were created between two instants. The median has a statement of its
 * own: PostgreSQL must sort for it, and then sorts only the contacts that were answered.
 */
export async function measureResponses(
  lists: Queryable,
  reader: Reader,
  {
    from,
    until,
    now,
    project,
  }: { from: Date; until: Date; now: Date; project: string[] | undefined },
): Promise<ResponseFigure[]> {
  const rows = sql`from contacts where ${isVisible(reader)} and ${IS_INDEXED} ${isOfProjects(project)}
    and contacts.created_at >= ${from} and contacts.created_at < ${until}`;
  const [counts, medians] = await Promise.all([
    queryOnce<Omit<ResponseFigure, 'medianSeconds'>>(
      lists,
      'figures_responses',
      sql`select contacts.assigned_account_user_id as "userId", count(*)::int as contacts,
          count(*) filter (where first_answer_at <= ${now})::int as answered
        ${rows} group by 1 order by 1 nulls last`,
    ),
    queryOnce<Pick<ResponseFigure, 'userId' | 'medianSeconds'>>(
      lists,
      'figures_response_medians',
      sql`select contacts.assigned_account_user_id as "userId", round(extract(epoch from
          percentile_cont(0.5) within group (order by first_answer_at - contacts.created_at)
        ))::float8 as "medianSeconds"
        ${rows} and first_answer_at <= ${now} group by 1`,
    ),
  ]);
  const medianOf = new Map(medians.map(({ userId, medianSeconds }) => [userId, medianSeconds]));
  return counts.map((each) => ({ ...each, medianSeconds: medianOf.get(each.userId) ?? null }));
}
