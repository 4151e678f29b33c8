export { addMilliseconds } from './add-milliseconds.ts';
export {
  isFilled,
  onlyIf,
  readColumnOrder,
  selectInOrder,
  sortAll,
  walkInOrder,
  walkOrSort,
} from './column-order.ts';
export { joinAnd, joinFilter, matchesTerms } from './conditions.ts';
export { distribute, measureTable } from './distribute.ts';
export {
  isDiskFull,
  isStatementMixUp,
  isForeignKeyViolation,
  isLockTimeout,
  isMissingRight,
  isRefusedData,
  isUnavailable,
  isUniqueViolation,
  ReadOnlyError,
  SchemaError,
  UnavailableError,
} from './errors.ts';
export { findRows } from './find-rows.ts';
export { insertRows } from './insert-rows.ts';
export type { Listen } from './listener.ts';
export { createLookUpCache, waitForLookUpCaches } from './look-up-cache.ts';
export { migrate, readAppliedMigrations, requireCurrentSchema } from './migrate.ts';
export { openPool, type Pool } from './pool.ts';
export {
  type CitusWorker,
  EXPORT_CONNECTIONS,
  LIST_CONNECTIONS,
  openPools,
  PROCESS_CONNECTIONS,
  type Pools,
  WORKER_CONNECTIONS,
} from './pools.ts';
export { query, queryOnce, STATEMENTS, type Queryable } from './query.ts';
export { readByIds } from './read-by-ids.ts';
export { readPages } from './read-pages.ts';
export { requireWritableServer } from './read-only.ts';
export { requireTimeouts, ROLE_SETTINGS } from './role-settings.ts';
export { buildRowSql, queryStoredRows } from './row-sql.ts';
export { readSnapshot } from './snapshot.ts';
export { orderBy, readSort } from './sort.ts';
export { splitIntoChunks } from './split-into-chunks.ts';
export type { StreamConnection } from './stream.ts';
export { COMMAND_TIMEOUTS, REQUEST_TIMEOUTS, type Timeouts } from './timeouts.ts';
export { chooseConnection } from './tls.ts';
export { runAndRollBack, retryOnConflict, runInTransaction, type Track } from './transaction.ts';
export type { FindPool } from './worker-pools.ts';
