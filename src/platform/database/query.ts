import { tracingChannel } from 'node:diagnostics_channel';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Sql } from 'sql-template-tag';

/** SQL with its values: a template of the tag `sql`, or a text with $1 to $n. */
type TextAndValues = Pick<Sql, 'text' | 'values'>;

/** A prepared statement: PostgreSQL parses and plans each name once for each connection. */
interface PreparedQuery extends TextAndValues {
  name: string;
}

/** Runs statements: a pool, or the one connection of a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(query: PreparedQuery): Promise<QueryResult<Row>>;
}

/** Runs a statement, prepared by its name. A name must always have the same text. */
export async function query<Row extends QueryResultRow>(
  db: Queryable,
  name: string,
  { text, values }: TextAndValues,
): Promise<Row[]> {
  const result = await traceStatement(name, () => db.query<Row>({ name, text, values }));
  return result.rows;
}

/** Runs a statement that PostgreSQL plans anew each time, for its values. The name is for traces only. */
export async function queryOnce<Row extends QueryResultRow>(
  db: Queryable,
  name: string,
  { text, values }: TextAndValues,
): Promise<Row[]> {
  const result = await traceStatement(name, () => db.query<Row>({ name: '', text, values }));
  return result.rows;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs SQL without a time-out in the driver. Without values, `text` may contain several statements. */
export async function runSql(db: Queryable, text: string, values: unknown[] = []): Promise<void> {
  const statement = { name: '', text, values, query_timeout: LONGEST_TIMER_MS };
  await db.query(statement);
}

/** The diagnostics channel that publishes the name of each statement, never its values. */
export const STATEMENTS = tracingChannel<unknown, { name: string }>('offplan.statement');

/** Runs a statement and publishes its name to subscribers. */
export function traceStatement<T>(name: string, run: () => Promise<T>): Promise<T> {
  return STATEMENTS.hasSubscribers ? STATEMENTS.tracePromise(run, { name }) : run();
}
