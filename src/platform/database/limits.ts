/** How long a process waits for the database. */
export interface Limits {
  /** PostgreSQL ends a statement that runs longer. */
  statementTimeoutMs: number;
  /** PostgreSQL ends a statement that waits longer for a lock. */
  lockTimeoutMs: number;
  /** PostgreSQL ends a transaction that is left open for longer: a lost client must not keep its locks. */
  idleTransactionTimeoutMs?: number;
  /** A PostgreSQL that sends nothing for this long counts as unavailable. */
  silenceMs: number;
}

/** For requests: a client gets a 503 within two seconds when the database is unavailable. */
export const REQUEST_LIMITS: Limits = {
  statementTimeoutMs: 30_000,
  // Another server may load the demo account at the same start.
  lockTimeoutMs: 3_000,
  idleTransactionTimeoutMs: 30_000,
  silenceMs: 1_500,
};

/** For commands, which may run long, wait for each other, and pause while their output is not read. */
export const COMMAND_LIMITS: Limits = {
  statementTimeoutMs: 30 * 60_000,
  lockTimeoutMs: 10 * 60_000,
  silenceMs: 60_000,
};
