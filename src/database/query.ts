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
  const result = await db.query<Row>({ name, text: statement.text, values: statement.values });
  return result.rows;
}
