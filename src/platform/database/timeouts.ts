/** How long a process waits for the database. */
export interface Timeouts {
  /** PostgreSQL cancels a statement that runs longer. */
  statementTimeoutMs: number;
  /** PostgreSQL cancels a statement that waits longer for a lock. */
  lockTimeoutMs: number;
  /** PostgreSQL ends a transaction in which the client sends nothing for longer: a lost client must not keep its locks. */
  idleTransactionTimeoutMs?: number;
  /** The circuit breaker opens when PostgreSQL sends nothing for this long. */
  silenceMs: number;
}

/** For requests: a client gets a 503 within two seconds when the database is unavailable. */
export const REQUEST_TIMEOUTS: Timeouts = {
  statementTimeoutMs: 30_000,
  // At the start, another server may hold locks while it loads the demo account.
  lockTimeoutMs: 3_000,
  // If the connection of a writer is lost, the other writes of its account wait this long. A busy process pauses less.
  idleTransactionTimeoutMs: 10_000,
  silenceMs: 1_500,
};

/** For commands: they may run long, wait for each other, and pause while their output is not read. */
export const COMMAND_TIMEOUTS: Timeouts = {
  statementTimeoutMs: 30 * 60_000,
  lockTimeoutMs: 10 * 60_000,
  silenceMs: 60_000,
};
