import { tracingChannel } from 'node:diagnostics_channel';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Sql } from 'sql-template-tag';

/** SQL with its values: what the tag `sql` makes, or a text with $1 to $n in it. */
type TextAndValues = Pick<Sql, 'text' | 'values'>;

/** A prepared statement: PostgreSQL parses and plans each name once for each connection. */
interface PreparedQuery extends TextAndValues {
  name: string;
}

/** What statements run on: the pool, or the one connection of a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(query: PreparedQuery): Promise<QueryResult<Row>>;
}

/** A statement that is to be run. */
export interface Statement {
  name: string;
  sql: Sql;
}

/** Runs a statement, prepared by name. One name always stands for one text. */
export async function query<Row extends QueryResultRow>(
  db: Queryable,
  name: string,
  { text, values }: TextAndValues,
): Promise<Row[]> {
  const result = await traced(name, () => db.query<Row>({ name, text, values }));
  return result.rows;
}

/** Told of each statement by its name, never of its values. */
export const STATEMENTS = tracingChannel<unknown, { name: string }>('offplan.statement');

/** Runs a statement, and tells those who trace statements. */
export function traced<T>(name: string, run: () => Promise<T>): Promise<T> {
  return STATEMENTS.hasSubscribers ? STATEMENTS.tracePromise(run, { name }) : run();
}
