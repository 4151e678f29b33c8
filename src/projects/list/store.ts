import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import {
  joinAnd,
  matchesTerms,
  orderBy,
  query,
  queryOnce,
  readSort,
  type Queryable,
} from '../../platform/database/index.ts';
import {
  countRows,
  cursorInvalid,
  type ListPlace,
  type ListQuery,
} from '../../platform/http/index.ts';
import { listSearchPatterns, isWrittenInstant, toDate } from '../../platform/text/index.ts';
import type { Project } from '../schemas.ts';
import { PROJECT_COLUMNS, projectRow } from '../store.ts';
import type { ProjectFilter } from './filter.ts';

/** A project as it is read, with the numbers and prices of its units. */
export type ReadProject = Omit<Project, 'estimatedCompletionDate'> & {
  estimatedCompletionDate: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  relatedProjectIds: string[];
  /** How many units have each status. */
  unitCounts: Record<string, number>;
  /** The lowest price of the available units. `priceTo` is the highest. */
  priceFrom: number | null;
  priceTo: number | null;
  /** The currency of these prices; null when the units have none, or several. */
  priceCurrency: string | null;
  nameKey: string;
};

/** Selects projects `p`, which `from` selects. */
const selectProjects = (accountId: string, from: Sql): Sql => sql`
  select ${projectRow.select('p', [...PROJECT_COLUMNS, 'createdAt', 'updatedAt', 'nameKey'])}, p.version,
    array(
      select link.related_project_id from related_projects link
      where link.account_id = ${accountId} and link.project_id = p.id
      order by link.position, link.related_project_id
    ) as "relatedProjectIds",
    of_units.counts as "unitCounts", of_units.low as "priceFrom", of_units.high as "priceTo",
    case when of_units.first_currency = of_units.last_currency then nullif(of_units.first_currency, '') end
      as "priceCurrency"
  from ${from}
  cross join lateral (
    select coalesce(json_object_agg(status, count), '{}') as counts, min(low) as low, max(high) as high,
      min(first_currency) as first_currency, max(last_currency) as last_currency
    from (
      select status, count(*)::int as count, min(price) filter (where status = 'Available') as low,
        max(price) filter (where status = 'Available') as high,
        min(coalesce(currency, '')) filter (where status = 'Available' and price is not null) as first_currency,
        max(coalesce(currency, '')) filter (where status = 'Available' and price is not null) as last_currency
      from units where account_id = ${accountId} and project_id = p.id group by status
    ) of_status
  ) of_units`;

/** Finds the projects with these ids, in any order. */
export function findProjects(
  db: Queryable,
  accountId: string,
  ids: string[],
): Promise<ReadProject[]> {
  return query<ReadProject>(
    db,
    'stock_projects_find',
    selectProjects(
      accountId,
      sql`unnest(${ids}::uuid[]) as wanted cross join lateral (
        select * from projects where account_id = ${accountId} and id = wanted offset 0
      ) p`,
    ),
  );
}

/** Lists projects: one more than the limit, if there are as many. */
export async function listProjects(
  lists: Queryable,
  accountId: string,
  { filter, sort, limit, after, isCounted }: ListQuery<ProjectFilter>,
): Promise<{ rows: ReadProject[]; count?: number | undefined }> {
  const order = readSort<keyof typeof SORT_COLUMNS>(sort);
  const { key } = order;
  const columns = SORT_COLUMNS[key];
  if (after !== null) checkPlace(after, key);
  // Always true. With it, PostgreSQL can use the partial index of each order, which has the same condition.
  const isIndexed = key === 'name' ? sql`version > 0` : sql`updated_at > '-infinity'`;
  const where = joinAnd([sql`account_id = ${accountId}`, isIndexed, ...listConditions(filter)]);
  const place = after === null ? empty : sql`and ${isAfter(columns, order.sign, after)}`;
  const rows = await queryOnce<ReadProject>(
    lists,
    'stock_projects_list',
    sql`${selectProjects(
      accountId,
      sql`(
        select projects.* from projects where ${where} ${place}
        order by ${orderBy('projects', columns, order)} limit ${limit + 1}
      ) p`,
    )}
      order by ${orderBy('p', columns, order)}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from projects where ${where}`;
  return { rows, count: await countRows(lists, 'stock_projects_count', matching) };
}

/** The columns by which a list can be sorted. `updated_at` is unique in an account. */
const SORT_COLUMNS = { updatedAt: ['updated_at'], name: ['name_key', 'id'] } as const;

/** Builds the condition of the projects after a place. */
function isAfter(columns: readonly string[], sign: Sql, { value, id }: ListPlace): Sql {
  const values = join([value, id].slice(0, columns.length));
  return sql`(${raw(columns.join(', '))}) ${sign} (${values})`;
}

/** Throws when a cursor has a value that the column of the order cannot have. */
function checkPlace({ value }: ListPlace, key: keyof typeof SORT_COLUMNS): void {
  if (typeof value !== 'string' || (key !== 'name' && !isWrittenInstant(value)))
    throw cursorInvalid();
}

function listConditions({ publication, status, q, updated_since: since }: ProjectFilter) {
  return [
    publication && sql`publication = any(${publication}::text[])`,
    status && sql`status = any(${status}::text[])`,
    q === undefined ? undefined : matchesTerms(listSearchPatterns(q), isLike),
    since === undefined ? undefined : sql`updated_at > ${toDate(since)}`,
  ];
}

const isLike = (pattern: string): Sql => sql`search_text like ${pattern}`;
