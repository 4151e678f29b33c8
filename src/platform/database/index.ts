export {
  isForeignKeyViolation,
  isLockTimeout,
  isRolledBack,
  isUnavailable,
  UnavailableError,
} from './errors.ts';
export type { Inserting } from './inserting.ts';
export { COMMAND_LIMITS, REQUEST_LIMITS, type Limits } from './limits.ts';
export { createLookUpCache } from './look-up-cache.ts';
export { migrate, requireCurrentSchema, SchemaError } from './migrate.ts';
export { openPool, openPools, type Pool, type Pools } from './pool.ts';
export { query, STATEMENTS, type Queryable, type Statement } from './query.ts';
export { buildRowSql, type Columns } from './row-sql.ts';
export { exchange, retrying, transaction } from './transaction.ts';
export { textArray } from './text-array.ts';
