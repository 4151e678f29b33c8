import { tracingChannel } from 'node:diagnostics_channel';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Sql } from 'sql-template-tag';

/** A prepared statement: PostgreSQL parses and plans each name once for each connection. */
interface PreparedQuery {
  name: string;
  text: string;
  values: unknown[];
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
  statement: Sql,
): Promise<Row[]> {
  const prepared = { name, text: statement.text, values: statement.values };
  const result = await traced(name, () => db.query<Row>(prepared));
  return result.rows;
}

/** Told of each statement by its name, never of its values. */
export const STATEMENTS = tracingChannel<unknown, { name: string }>('offplan.statement');

/** Runs a statement, and tells those who trace statements. */
export function traced<T>(name: string, run: () => Promise<T>): Promise<T> {
  return STATEMENTS.hasSubscribers ? STATEMENTS.tracePromise(run, { name }) : run();
}
