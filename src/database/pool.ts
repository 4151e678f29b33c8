import pg from 'pg';
import { isConnectionDead, isTransient } from './errors.ts';
import type { Queryable } from './query.ts';

export interface Pool extends Queryable {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

interface PoolOptions {
  /** How many connections at the most. */
  max?: number;
  /** After how long a statement is given up; none by default. */
  statementTimeoutMs?: number;
  /** After how long waiting for a lock is given up; none by default. */
  lockTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const DEAD_CONNECTION_MS = 5_000;

/**
 * A pool of connections. Plans are generic: a statement with `= any($n)` would otherwise be planned anew
 * for each call, which takes several times as long as running it.
 */
export function openPool(
  connection: string | pg.ClientConfig,
  onError: (error: Error) => void,
  { max = 10, statementTimeoutMs, lockTimeoutMs }: PoolOptions = {},
): Pool {
  const base = typeof connection === 'string' ? { connectionString: connection } : connection;
  const pool = new pg.Pool({
    ...base,
    max,
    application_name: 'offplan',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    options: '-c plan_cache_mode=force_generic_plan',
    // PostgreSQL gives a statement up; when the connection itself is dead, only the driver can.
    ...(statementTimeoutMs !== undefined && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + DEAD_CONNECTION_MS,
    }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', onError);
  return pool;
}

type Isolation = 'read committed' | 'repeatable read, read only';

/** The outcome of a COMMIT is not known: the connection broke before the answer. Repeating is safe. */
class CommitUnknownError extends Error {}

/**
 * Runs `work` in a transaction on a connection of its own: committed when it returns, rolled back when it
 * throws.
 */
export async function transaction<T>(
  pool: Pool,
  work: (tx: Queryable) => Promise<T>,
  isolation: Isolation = 'read committed',
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  try {
    await client.query(`begin isolation level ${isolation}`);
    const result = await work(client);
    await commit(client);
    return result;
  } catch (error) {
    broken ??= await rollback(client, error);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

// PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, which is no error to the driver.
async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw error;
    throw new CommitUnknownError('the connection was lost in COMMIT', { cause: error });
  }
}

async function rollback(client: pg.PoolClient, reason: unknown): Promise<Error | undefined> {
  if (reason instanceof CommitUnknownError) return reason;
  // A ROLLBACK would queue behind the statement that a dead connection never answers.
  if (isConnectionDead(reason)) return reason;
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const RETRIES = 4;

/** Runs `work` again when PostgreSQL chose it to give way (a deadlock, a serialization failure). */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === RETRIES || !isTransient(error)) throw error;
    }
  }
}
