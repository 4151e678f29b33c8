/**
 * Returns the SQL of a time minus an interval. It is made in UTC: Citus refuses an UPDATE with an expression that depends on the
 * time zone of the session.
 */
export const subtractTime = (time: string, interval: string): string =>
  `(${time} at time zone 'UTC' - ${interval}) at time zone 'UTC'`;
