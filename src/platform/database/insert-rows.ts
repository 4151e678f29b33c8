import { traceStatement, type Queryable } from './query.ts';

/** A table, and the columns that an insert writes after `account_id`. A name must always have the same target. */
interface InsertTarget {
  name: string;
  table: string;
  columns: readonly string[];
  onConflict?: string;
}

/**
 * The numbers of rows that statements insert. A connection prepares a statement for each number. A chunk of 50 leads has 50
 * contacts and 250 events.
 */
const ROW_COUNTS = [250, 100, 50, 25, 12, 8, 7, 6, 5, 4, 3, 2, 1];
/** The most values of a statement: PostgreSQL keeps the plans, and a plan grows with its values. */
const MAX_VALUES = 2_500;

const textOf = new Map<string, string>();

/**
 * Inserts rows of an account, with as few statements as possible. It sends all of them before its first await. The values of a
 * row are in the order of the columns.
 *
 * It uses VALUES because Citus plans such a statement for one shard, and an INSERT … SELECT for every shard.
 */
export async function insertRows(
  db: Queryable,
  accountId: string,
  target: InsertTarget,
  rows: readonly unknown[][],
): Promise<void> {
  const statements = splitRows(rows, target.columns.length).map((some) => {
    const name = `${target.name}_${some.length}`;
    const text = textOf.get(name) ?? buildText(target, some.length);
    textOf.set(name, text);
    const values = [accountId, ...some.flat()];
    return traceStatement(target.name, () => db.query({ name, text, values }));
  });
  await Promise.all(statements);
}

function splitRows(rows: readonly unknown[][], width: number): unknown[][][] {
  const counts = ROW_COUNTS.filter((count) => count === 1 || count * width <= MAX_VALUES);
  const parts: unknown[][][] = [];
  for (let start = 0; start < rows.length; start += parts.at(-1)?.length ?? 0) {
    const count = counts.find((each) => each <= rows.length - start);
    parts.push(rows.slice(start, start + (count ?? 1)));
  }
  return parts;
}

/** Builds the text of a statement. `$1` is the account. */
function buildText({ table, columns, onConflict = '' }: InsertTarget, count: number): string {
  const rows = Array.from({ length: count }, (_row, row) => {
    const values = columns.map((_column, column) => `$${row * columns.length + column + 2}`);
    return `($1, ${values.join(', ')})`;
  });
  return `insert into ${table} (account_id, ${columns.join(', ')}) values ${rows.join(', ')} ${onConflict}`;
}
