export { isForeignKeyViolation, isLockTimeout, isUnavailable, UnavailableError } from './errors.ts';
export { COMMAND_TIMEOUTS, REQUEST_TIMEOUTS, type Timeouts } from './timeouts.ts';
export { createLookUpCache } from './look-up-cache.ts';
export { migrate, requireCurrentSchema, SchemaError } from './migrate.ts';
export { openPool, openPools, type Pool, type Pools } from './pool.ts';
export { query, STATEMENTS, type Queryable } from './query.ts';
export { buildRowSql, queryStoredRows } from './row-sql.ts';
export { retryOnConflict, runInTransaction, type Track } from './transaction.ts';
