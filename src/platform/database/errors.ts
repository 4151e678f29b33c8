import pg from 'pg';

// SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html
// Connection exceptions, no resources left, shutting down or starting up, time-outs (57014, and 55P03 for a
// lock), system errors, a read-only standby.
const UNAVAILABLE = /^(08|53|57P|57014|55P03|58|25006)/;

/** The database cannot be used now: this process says so, by its circuit breaker, pool or queue, and not PostgreSQL. */
export class UnavailableError extends Error {}

const hasState = (error: unknown, state: string): boolean =>
  error instanceof pg.DatabaseError && error.code === state;

/** Whether the same work may be tried again at once: a deadlock or a serialization failure. */
export const isTransient = (error: unknown): boolean =>
  hasState(error, '40P01') || hasState(error, '40001');

/** Whether a statement was not run because an earlier one of its transaction had failed. */
export const isAbortedTransaction = (error: unknown): boolean => hasState(error, '25P02');
export const isForeignKeyViolation = (error: unknown): boolean => hasState(error, '23503');
export const isLockTimeout = (error: unknown): boolean => hasState(error, '55P03');
export const isUndefinedTable = (error: unknown): boolean => hasState(error, '42P01');

// The system calls of sockets. An error of a file's system call (open, stat) does not come from the database.
const SOCKET_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo']);

// The driver's own errors for a connection that broke or could not be made in time have no code.
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after)/;

/** Whether the database cannot be reached or used now, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnavailableError) return true;
  // A FATAL error ends the connection.
  if (error instanceof pg.DatabaseError)
    return error.severity === 'FATAL' || UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const { syscall } = error as NodeJS.ErrnoException;
  return (
    (syscall !== undefined && SOCKET_CALLS.has(syscall)) || DRIVER_MESSAGES.test(error.message)
  );
}
