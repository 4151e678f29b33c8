import sql, { empty, type RawValue, type Sql } from 'sql-template-tag';
import { query, type Queryable } from './query.ts';

/** A table of accounts, and the column that finds its rows. An index begins with `account_id` and this column. */
interface FindTarget {
  /** A name must always have the same target. */
  name: string;
  table: Sql;
  key: Sql;
  /** The type of an array of its values. */
  type: Sql;
  /** The columns of the answer. */
  select: Sql;
  /** A further condition, which begins with `and`. */
  where?: Sql;
}

/** Up to this number of values, each has a statement of its own. A lead seldom has more tags. */
const ONE_BY_ONE_MAX_COUNT = 3;

/**
 * Finds rows of an account by the values of one column, in any order. It sends its statements before its first await.
 *
 * Citus plans a statement for one value faster than one for several. `offset 0` makes PostgreSQL
 * look up each value by the index. With `in` or `= any`, a plan made while the table was small may read all rows of the account.
 */
export async function findRows<Row extends object>(
  db: Queryable,
  accountId: string,
  { name, table, key, type, select, where = empty }: FindTarget,
  values: readonly string[],
): Promise<Row[]> {
  if (values.length === 0) return [];
  const selectBy = (value: RawValue) =>
    sql`select ${select} from ${table} where account_id = ${accountId} and ${key} = ${value} ${where}`;
  if (values.length <= ONE_BY_ONE_MAX_COUNT) {
    const found = values.map((value) => query<Row>(db, `${name}_one`, selectBy(value)));
    return (await Promise.all(found)).flat();
  }
  return query<Row>(
    db,
    name,
    sql`select found.* from unnest(${values}::${type}) as wanted
      cross join lateral (
        ${selectBy(sql`wanted`)} offset 0
      ) found`,
  );
}
