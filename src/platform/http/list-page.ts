import sql, { type Sql } from 'sql-template-tag';
import { queryOnce, type Queryable } from '../database/index.ts';
import { writeCursor, type ListPlace } from './list-cursor.ts';
import type { ListQuery } from './list-query.ts';

/** A list counts up to this number of rows. Its answer says that a larger count is not exact. */
export const COUNT_MAX = 10_000;

/** The rows that a list found: one more than the limit when there is a next page. */
interface FoundRows<Row> {
  rows: Row[];
  /** How many rows match, if the request asks for it: exact up to `COUNT_MAX`, and `COUNT_MAX + 1` for any larger number. */
  count?: number | undefined;
}

/** Counts the rows of a list as `FoundRows` has it. `matching` selects them. */
export async function countRows(lists: Queryable, name: string, matching: Sql): Promise<number> {
  const [row] = await queryOnce<{ count: number }>(
    lists,
    name,
    sql`select count(*)::int as count from (${matching} limit ${COUNT_MAX + 1}) found`,
  );
  return row?.count ?? 0;
}

/** Makes the body of a list. `placeOf` returns the sort value and the id of a row, and `present` its resource. */
export function presentList<Row, Resource>(
  { limit, fingerprint }: ListQuery<unknown>,
  { rows, count }: FoundRows<Row>,
  placeOf: (row: Row) => ListPlace,
  present: (row: Row) => Resource,
) {
  const data = cutLongPage(rows.slice(0, limit).map(present));
  const last = rows[data.length - 1];
  const hasNextPage = rows.length > data.length;
  return {
    data,
    pagination: {
      limit,
      nextCursor:
        hasNextPage && last !== undefined ? writeCursor(placeOf(last), fingerprint) : null,
      hasNextPage,
      ...(count !== undefined && {
        totalCount: Math.min(count, COUNT_MAX),
        totalCountIsExact: count <= COUNT_MAX,
      }),
    },
  };
}

/** The most characters of JSON of a page: a note may have 1 MiB, and a page 100 of them. */
const PAGE_MAX_CHARACTERS = 4 * 1024 * 1024;

/** Leaves long items at the end of a page for the next one. Keeps at least one. */
export function cutLongPage<Resource>(items: Resource[]): Resource[] {
  let characters = 0;
  const end = items.findIndex((item, index) => {
    characters += JSON.stringify([item]).length;
    return characters > PAGE_MAX_CHARACTERS && index > 0;
  });
  return end === -1 ? items : items.slice(0, end);
}

/**
 * Sorts rows in memory and cuts out the page of a query, for lists of some hundred rows at most. `matching` has all rows that
 * match the filter.
 */
export function cutPage<Row>(
  matching: Row[],
  { sort, limit, after, isCounted }: ListQuery<unknown>,
  placeOf: (row: Row) => ListPlace,
): FoundRows<Row> {
  const isDescending = sort.startsWith('-');
  const compare = (a: ListPlace, b: ListPlace): number =>
    isDescending ? comparePlaces(b, a) : comparePlaces(a, b);
  const rows = matching
    .filter((row) => after === null || compare(placeOf(row), after) > 0)
    .toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  return { rows: rows.slice(0, limit + 1), ...(isCounted && { count: matching.length }) };
}

function comparePlaces(a: ListPlace, b: ListPlace): number {
  const [one, other] = a.value === b.value ? [a.id, b.id] : [a.value ?? '', b.value ?? ''];
  return one === other ? 0 : one < other ? -1 : 1;
}
