import sql, { type Sql } from 'sql-template-tag';
import {
  queryOnce,
  readByIds,
  readColumnOrder,
  selectInOrder,
  walkOrSort,
  type Queryable,
} from '../../platform/database/index.ts';
import {
  countRows,
  cursorInvalid,
  type ListPlace,
  type ListQuery,
  type ListSelection,
} from '../../platform/http/index.ts';
import { isWrittenInstant } from '../../platform/text/index.ts';
import { IS_INDEXED, matchesFilter, matchesValues } from './conditions.ts';
import type { UnitFilter } from './filter.ts';
import {
  isByProject,
  orderByProject,
  PROJECT_SORT_VALUE,
  selectByProject,
  type Page,
} from './project-order.ts';
import { selectUnits, type ReadUnit } from './store.ts';

/** A unit in a list, with the value by which the list is sorted. */
export type ListedUnit = ReadUnit & { sortValue: Date | string | number | null };

/** The columns by which a list can be sorted, by the names of the sorts. `project-order.ts` has the sort `project`. */
const SORT_COLUMNS = {
  position: 'position',
  price: 'price',
  name: 'name_key',
  updatedAt: 'updated_at',
} as const;

/** Converts a sort to parts of SQL statements. */
const readOrder = (sort: string) =>
  readColumnOrder(sort, { table: 'units', columns: SORT_COLUMNS, nullable: 'price' });

/** The longest walk along the order for a search, which reads the row of each unit. */
const SEARCH_WALK_MAX = 2_000;

/**
 * Builds the statement that selects the ids of a page, in order. PostgreSQL walks the index of the order, or sorts the few
 * units that an index of the filter has: its statistics decide, for the values of this request. The statistics do not
 * know how many units a search finds, so the walk for a search ends after some units. When it has not filled the page, all
 * matching units are sorted.
 */
function selectIds(accountId: string, filter: UnitFilter, page: Page): Sql {
  const where = matchesFilter(accountId, filter);
  const order = readOrder(page.sort);
  if (filter.q === undefined || page.after?.value === null)
    return selectInOrder(order, where, page);
  const walk = {
    passed: sql`units.account_id = ${accountId} and ${IS_INDEXED}`,
    max: SEARCH_WALK_MAX,
    where: matchesValues(accountId, filter),
  };
  return walkOrSort(order, page, walk, where);
}

/** The approximate bytes of a unit. */
const UNIT_BYTES = 1024;

/** Reads all units that match, in the order of the sort. */
export function readAllUnits(
  tx: Queryable,
  accountId: string,
  { filter, sort }: ListSelection<UnitFilter>,
): AsyncGenerator<ReadUnit[]> {
  const all = { sort, after: null, limit: null };
  const bytes = sql`, ${UNIT_BYTES}::int as bytes`;
  return readByIds(tx, {
    name: 'units_export',
    ids: isByProject(sort)
      ? sql`select id ${bytes} from (${selectByProject(accountId, filter, all)}) units
          order by ${orderByProject('units', sort)}`
      : selectInOrder(readOrder(sort), matchesFilter(accountId, filter), all, bytes),
    select: (wanted) => sql`select ${selectUnits}
      from ${wanted} join units on units.account_id = ${accountId} and units.id = wanted.id`,
  });
}

/** Throws a 400 when a cursor has a value that this order does not have. */
function checkPlace({ value }: ListPlace, sort: string): void {
  const isFitting: Record<keyof typeof SORT_COLUMNS, boolean> = {
    position: typeof value === 'number' && (value | 0) === value,
    price: value === null || typeof value === 'number',
    name: typeof value === 'string',
    updatedAt: typeof value === 'string' && isWrittenInstant(value),
  };
  if (!isFitting[readOrder(sort).key]) throw cursorInvalid();
}

/** Selects the ids of a page in the order of a column. Throws a 400 when the cursor does not fit. */
function selectByColumn(accountId: string, filter: UnitFilter, page: Page) {
  if (page.after !== null) checkPlace(page.after, page.sort);
  const { column, direction } = readOrder(page.sort);
  return {
    ids: selectIds(accountId, filter, page),
    value: sql`page.value`,
    order: sql`${column} ${direction} nulls last, units.id ${direction}`,
  };
}

/** Lists the units of a page, one more than its limit if there are as many, and counts all if that is asked for. */
export async function listUnits(
  lists: Queryable,
  accountId: string,
  { filter, sort, limit, after, isCounted }: ListQuery<UnitFilter>,
): Promise<{ rows: ListedUnit[]; count?: number | undefined }> {
  const page = { sort, after, limit: limit + 1 };
  const { ids, value, order } = isByProject(sort)
    ? {
        ids: selectByProject(accountId, filter, page),
        value: PROJECT_SORT_VALUE,
        order: orderByProject('page', sort),
      }
    : selectByColumn(accountId, filter, page);
  const rows = await queryOnce<ListedUnit>(
    lists,
    'units_list',
    sql`with page as materialized (${ids})
      select ${selectUnits}, ${value} as "sortValue"
      from page join units on units.account_id = ${accountId} and units.id = page.id
      order by ${order}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from units where ${matchesFilter(accountId, filter)}`;
  return { rows, count: await countRows(lists, 'units_count', matching) };
}

/** Finds the ids of the units that match a filter, in their order, at most `limit` of them. */
export async function findMatchingIds(
  tx: Queryable,
  accountId: string,
  filter: UnitFilter,
  limit: number,
): Promise<string[]> {
  const where = matchesFilter(accountId, filter);
  const rows = await queryOnce<{ id: string }>(
    tx,
    'units_find_matching',
    selectInOrder(readOrder('position'), where, { after: null, limit }),
  );
  return rows.map(({ id }) => id);
}
