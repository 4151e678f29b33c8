import sql, { type Sql } from 'sql-template-tag';

/**
 * Builds the SQL of `time` plus `count` milliseconds. PostgreSQL marks `timestamptz + interval` as dependent on the time zone of
 * the session, and Citus refuses such an expression in an UPDATE. So the sum is made in UTC, without a time zone.
 */
export function addMilliseconds(time: Sql, count: Sql | number): Sql {
  return sql`(${time} at time zone 'UTC' + ${count} * interval '1 millisecond') at time zone 'UTC'`;
}
