import sql, { join, raw, type Sql } from 'sql-template-tag';
import { MAX_ID, NIL_ID } from '../text/index.ts';

/** A sort of a list, such as `-name`, as parts of SQL statements. */
export type Sort<Key extends string> = ReturnType<typeof readSort<Key>>;

/** Reads a sort such as `-createdAt`: the key, and the SQL that walks the rows in this order. */
export function readSort<Key extends string>(sort: string) {
  const isDescending = sort.startsWith('-');
  return {
    key: sort.replace('-', '') as Key,
    isDescending,
    direction: raw(isDescending ? 'desc' : 'asc'),
    /** Compares the rows of the next page with the last row of this one. */
    sign: raw(isDescending ? '<' : '>'),
    /** An id before that of any row. */
    firstId: isDescending ? MAX_ID : NIL_ID,
  };
}

/** Builds the order by several columns of a table. */
export function orderBy(
  table: string,
  columns: readonly string[],
  { direction }: Pick<Sort<string>, 'direction'>,
): Sql {
  return join(
    columns.map((column) => sql`${raw(`${table}.${column}`)} ${direction}`),
    ', ',
  );
}
