import pg from 'pg';

/** SQLSTATEs, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const FOREIGN_KEY_VIOLATION = '23503';
const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';

// Connection exceptions, no resources left, shutting down or starting up, time-outs (57014, and 55P03 for a
// lock), system errors, a read-only standby.
const UNAVAILABLE = /^(08|53|57P|57014|55P03|58|25006)/;

/** The database cannot be used now, for a reason that we found out by ourselves. */
export class UnavailableError extends Error {}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the same work may simply be tried again at once. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === DEADLOCK_DETECTED || state === SERIALIZATION_FAILURE;
}

/** Whether PostgreSQL could not do what a statement asks for, and has undone all of it: trying the same again is no use. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isUnavailable(error) && !isTransient(error);
}

export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === FOREIGN_KEY_VIOLATION;
}

export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

export function isUndefinedTable(error: unknown): boolean {
  return sqlState(error) === UNDEFINED_TABLE;
}

// What a socket's error names as its act; a file's (open, stat) is none of the database.
const SOCKET_ACTS = new Set(['connect', 'read', 'write', 'getaddrinfo']);

// The driver's own errors for a connection that broke or could not be made in time carry no code.
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after)/;

/** Whether the driver gave up waiting for an answer: the connection is of no use any more. */
export function isConnectionDead(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether an error says that the database cannot be reached or used now, rather than that we erred. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnavailableError) return true;
  // After a FATAL there is no connection any more, or there never was one.
  if (error instanceof pg.DatabaseError)
    return error.severity === 'FATAL' || UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const { syscall } = error as NodeJS.ErrnoException;
  return (syscall !== undefined && SOCKET_ACTS.has(syscall)) || DRIVER_MESSAGES.test(error.message);
}
