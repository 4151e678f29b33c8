import sql, { type Sql } from 'sql-template-tag';

/**
 * Builds the SQL of a time some milliseconds after another. PostgreSQL holds that `time + interval` depends on the time zone
 * of the session, and Citus refuses that in an UPDATE. At UTC nothing depends on it.
 */
export function addMilliseconds(time: Sql, count: Sql | number): Sql {
  return sql`(${time} at time zone 'UTC' + ${count} * interval '1 millisecond') at time zone 'UTC'`;
}
