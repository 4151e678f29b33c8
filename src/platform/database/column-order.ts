import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { readSort } from './sort.ts';

/* Pages of a table in the order of one column, and of the ids where its values are equal. */

/** A table, and the columns by which it can be sorted, by the names of the sorts. */
interface SortableTable<Key extends string> {
  table: string;
  columns: Record<Key, string>;
  /** The sort whose column can be null. Rows without a value come last in both directions. */
  nullable: Key;
}

/** An order as parts of SQL statements. */
type ColumnOrder = ReturnType<typeof readColumnOrder>;

/** Converts a sort, such as `-name`, to an order. */
export function readColumnOrder<Key extends string>(
  sort: string,
  { table, columns, nullable }: SortableTable<Key>,
) {
  const parsed = readSort<Key>(sort);
  return {
    ...parsed,
    table: raw(table),
    column: raw(`${table}.${columns[parsed.key]}`),
    isNullable: parsed.key === nullable,
  };
}

/** The value and the id of the last row before a page, and how many rows to read; null for all. */
interface Page {
  after: { value: unknown; id: string } | null;
  limit: number | null;
}

/** Builds the condition of the rows after a place, among those with a value in the column. */
function isAfter({ table, column, sign }: ColumnOrder, after: Page['after']): Sql {
  if (after === null || after.value === null) return empty;
  return sql`and (${column}, ${table}.id) ${sign} (${after.value}, ${after.id})`;
}

function isAfterOrNull(order: ColumnOrder, after: Page['after']): Sql {
  const { table, column, sign, isNullable } = order;
  if (!isNullable || after === null) return isAfter(order, after);
  return sql`and ((${column}, ${table}.id) ${sign} (${after.value}, ${after.id}) or ${column} is null)`;
}

/** Selects the ids and values of rows in order. Rows without a value need a second select. */
export function selectInOrder(
  order: ColumnOrder,
  where: Sql,
  { after, limit }: Page,
  further = empty,
): Sql {
  const { table, column, direction, sign, firstId, isNullable } = order;
  const filled = sql`select ${table}.id, ${column} as value ${further} from ${table}
    where ${where} ${isNullable ? sql`and ${column} is not null` : empty} ${isAfter(order, after)}
    order by ${column} ${direction}, ${table}.id ${direction} limit ${limit}`;
  if (!isNullable) return filled;
  const afterId = after?.value === null ? after.id : firstId;
  const nulls = sql`select ${table}.id, ${column} as value ${further} from ${table}
    where ${where} and ${column} is null and ${table}.id ${sign} ${afterId}
    order by ${table}.id ${direction} limit ${limit}`;
  if (after?.value === null) return nulls;
  return sql`(${filled}) union all (${nulls})
    order by value ${direction} nulls last, id ${direction} limit ${limit}`;
}

interface Walk {
  /** The condition of the rows that the walk passes; an index must have them in order. */
  passed: Sql;
  /** How many rows the walk passes at most. */
  max: number;
  /** The condition of the rows that the walk selects. */
  where: Sql;
}

/** Selects a page by a walk along the index of the order, which ends after some rows. The page can be full or not. */
export function walkInOrder(order: ColumnOrder, page: Page, { passed, max, where }: Walk): Sql {
  const { table, column, direction } = order;
  return sql`select ${table}.id, ${column} as value from (
      select * from ${table}
      where ${passed} ${isAfter(order, page.after)} and ${column} is not null
      order by ${column} ${direction}, ${table}.id ${direction} limit ${max}
    ) ${table}
    where ${where}
    order by ${column} ${direction}, ${table}.id ${direction} limit ${page.limit}`;
}

/** Selects a page by finding and sorting all rows that match. */
export function sortAll(order: ColumnOrder, page: Page, where: Sql): Sql {
  const { table, column, direction } = order;
  return sql`select id, value from (
      select ${table}.id, ${column} as value from ${table}
      where ${where} ${isAfterOrNull(order, page.after)} offset 0
    ) found
    order by value ${direction} nulls last, id ${direction} limit ${page.limit}`;
}

/** Selects a page by a walk, and when the walk has not filled it, by sorting all rows that match `where`. */
export function walkOrSort(order: ColumnOrder, page: Page, walk: Walk, where: Sql): Sql {
  const filled = isFilled(page);
  return sql`with walk as materialized (${walkInOrder(order, page, walk)})
    select id, value from walk where ${filled}
    union all ${onlyIf(sql`not ${filled}`, sortAll(order, page, where))}`;
}

/** The condition that the page of `walk` is full. */
export const isFilled = ({ limit }: Page): Sql => sql`(select count(*) from walk) = ${limit}`;

/** Runs a select of a page only when a condition holds that depends on none of its rows. */
export const onlyIf = (condition: Sql, page: Sql): Sql =>
  sql`(select id, value from (${page}) page where ${condition})`;
