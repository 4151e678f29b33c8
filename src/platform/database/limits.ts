/** How long whoever uses the database waits for it. */
export interface Limits {
  /** After how long PostgreSQL gives a statement up. */
  statementTimeoutMs: number;
  /** After how long PostgreSQL gives up waiting for a lock. */
  lockTimeoutMs: number;
  /** After how long PostgreSQL ends a transaction that is left open: its locks would outlive a client that is gone. */
  idleTransactionTimeoutMs?: number;
  /** For how long PostgreSQL may say nothing at all before it counts as away. */
  silenceMs: number;
}

/** For requests: a client is told within two seconds that the database is away. */
export const REQUEST_LIMITS: Limits = {
  statementTimeoutMs: 30_000,
  // Long enough for another server that loads the demo at the same start.
  lockTimeoutMs: 3_000,
  idleTransactionTimeoutMs: 30_000,
  silenceMs: 1_500,
};

/** For commands, which may take long, wait for one another, and pause while nobody reads what they write. */
export const COMMAND_LIMITS: Limits = {
  statementTimeoutMs: 30 * 60_000,
  lockTimeoutMs: 10 * 60_000,
  silenceMs: 60_000,
};
