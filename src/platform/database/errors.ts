import pg from 'pg';

// SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html
// Connection exceptions (08), no resources (53), shutdown and start (57P), time-outs of statements (57014) and locks
// (55P03), system errors (58), a read-only standby (25006).
const UNAVAILABLE_STATES = /^(08|53|57P|57014|55P03|58|25006)/;

/** The database cannot be used now. The circuit breaker, the pool or a queue of this process throws it, not PostgreSQL. */
export class UnavailableError extends Error {}

/** The database does not fit this release. The message tells the operator how to correct that. */
export class SchemaError extends Error {}

/** The database answers, and takes no writes. The message is public. */
export class ReadOnlyError extends Error {}

const hasSqlState = (error: unknown, state: string): boolean =>
  error instanceof pg.DatabaseError && error.code === state;

/** Whether PostgreSQL reported a deadlock or a serialization failure: the same work may be retried at once. */
export const isTransient = (error: unknown): boolean =>
  hasSqlState(error, '40P01') || hasSqlState(error, '40001');

/** Whether PostgreSQL skipped a statement because an earlier one of its transaction had failed. */
export const isAbortedTransaction = (error: unknown): boolean => hasSqlState(error, '25P02');
export const isUniqueViolation = (error: unknown): boolean => hasSqlState(error, '23505');
export const isForeignKeyViolation = (error: unknown): boolean => hasSqlState(error, '23503');
export const isDiskFull = (error: unknown): boolean => hasSqlState(error, '53100');
/** Whether the role may not use a table or a column. */
export const isMissingRight = (error: unknown): boolean => hasSqlState(error, '42501');
/** Whether a statement waited longer for a lock than `lock_timeout` allows. */
export const isLockTimeout = (error: unknown): boolean => hasSqlState(error, '55P03');

/** Whether the prepared statements of the connection are not those that the driver knows, since a pooler gave it another one. */
export const isStatementMixUp = (error: unknown): boolean =>
  hasSqlState(error, '42P05') || hasSqlState(error, '26000');

export const isUndefinedTable = (error: unknown): boolean => hasSqlState(error, '42P01');

/** Whether an extension is not installed on the server (by its release), or the role may not create it. */
export const isMissingExtension = (error: unknown): boolean =>
  ['0A000', '58P01', '42501'].some((state) => hasSqlState(error, state));
/** Whether another transaction has just created the same thing. */
export const isCreatedMeanwhile = (error: unknown): boolean =>
  ['23505', '42710'].some((state) => hasSqlState(error, state));

/** Whether PostgreSQL refused values: they do not fit their type (class 22) or a constraint (23). */
export const isRefusedData = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');

// The system calls of sockets. An error of another system call (open, stat) does not come from the database.
const SOCKET_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo']);

// The driver's own errors, for a connection that broke or was not ready in time, have no code.
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Received unexpected \w+ message from backend|Cannot use a pool after)/;

/** Whether the driver gave up a new connection that was not ready in time. */
export const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Connection terminated due to connection timeout';

/** Whether a caller got no connection of a pool in time: a new one was not ready, or none became free. */
export const isPoolTimeout = (error: unknown): boolean =>
  isConnectTimeout(error) ||
  (error instanceof Error && error.message === 'timeout exceeded when trying to connect');

// PostgreSQL ends the connection on a shutdown (57P) and when a transaction is idle or takes too long (25P03, 25P04).
const FATAL_STATES = /^(57P|25P0[34])/;

/** Whether PostgreSQL ends the connection with this error. It translates the severity into the language of `lc_messages`. */
export const isFatal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.severity === 'FATAL' || FATAL_STATES.test(error.code ?? ''));

/** Whether the database cannot be reached or used now. The same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnavailableError) return true;
  if (isFatal(error)) return true;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATES.test(error.code ?? '');
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const { syscall } = error as NodeJS.ErrnoException;
  return (
    (syscall !== undefined && SOCKET_CALLS.has(syscall)) || DRIVER_MESSAGES.test(error.message)
  );
}
