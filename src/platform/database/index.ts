export { isForeignKeyViolation, isLockTimeout, isUnavailable, UnavailableError } from './errors.ts';
export { COMMAND_LIMITS, REQUEST_LIMITS, type Limits } from './limits.ts';
export { createLookUpCache } from './look-up-cache.ts';
export { migrate, requireCurrentSchema, SchemaError } from './migrate.ts';
export { openPool, openPools, type Pool, type Pools } from './pool.ts';
export { query, STATEMENTS, type Queryable } from './query.ts';
export { buildRowSql, queryStored } from './row-sql.ts';
export { retrying, transaction } from './transaction.ts';
