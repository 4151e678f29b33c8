import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import pg from 'pg';
import { isAbortedTransaction, isTransient, UnavailableError } from './errors.ts';
import type { Pool } from './pool.ts';
import { traceStatement, type Queryable } from './query.ts';

type Isolation = 'read committed' | 'repeatable read, read only';

/** Makes the transaction fail when this promise rejects, even if `work` does not await it. Returns the promise. */
export type Track = <Answer>(answer: Promise<Answer>) => Promise<Answer>;

/**
 * Runs `work` in a transaction: commits when `work` returns, rolls back when it throws. `work` may track its last writes instead
 * of awaiting them, if they send their statements at once: COMMIT follows without waiting for their answers, and nothing is
 * committed when one of them fails.
 */
export async function runInTransaction<T>(
  pool: Pool,
  work: (tx: Queryable, track: Track) => Promise<T>,
  isolation: Isolation = 'read committed',
): Promise<T> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  let firstError: unknown;
  let isStatementSkipped = false;
  const track: Track = (answer) => {
    answer.catch((error: unknown) => {
      firstError ??= error;
      isStatementSkipped ||= isAbortedTransaction(error);
    });
    return answer;
  };
  try {
    // Do not await BEGIN: the driver sends the first statements of `work` together with it.
    void track(client.query(`begin isolation level ${isolation}`));
    const result = await work({ query: (statement) => track(client.query(statement)) }, track);
    // The driver may reject a write before it sends it, for example when it cannot encode a value. PostgreSQL does not know of
    // this write and would commit the others. The rejection arrives before the next turn of the event loop, so wait for that
    // turn.
    await yieldToEventLoop();
    if (firstError !== undefined) throw firstError;
    await commit(client);
    return result;
  } catch (error) {
    connectionError = await rollback(client);
    throw isConsequence(error) ? firstError : error;
  } finally {
    // PostgreSQL does not prepare a statement that it skips, so the driver prepares it again when it is used next. PgBouncer has
    // noted its name, and would then close the connection under another transaction.
    client.release(connectionError ?? isStatementSkipped);
  }
}

/** Is thrown at the end of a dry run: it rolls the transaction back, and carries the result out of it. */
class DryRunResult extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('a dry run is rolled back');
    this.result = result;
  }
}

/** Runs `work` in a transaction and always rolls back: a dry run. Returns the result of `work`, or throws its error. */
export async function runAndRollBack<T>(
  pool: Pool,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  try {
    return await runInTransaction(pool, async (tx): Promise<T> => {
      throw new DryRunResult(await work(tx));
    });
  } catch (error) {
    if (error instanceof DryRunResult) return error.result as T;
    throw error;
  }
}

/** PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, which the driver does not report as an error. */
class RolledBackError extends Error {}

/** Whether an error only says that an earlier statement of the transaction has failed. */
function isConsequence(error: unknown): boolean {
  return isAbortedTransaction(error) || error instanceof RolledBackError;
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await traceStatement('commit', () => client.query('commit')).catch(
    (error: unknown) => {
      if (error instanceof pg.DatabaseError) throw error;
      // PostgreSQL may or may not have committed. Repeating the request is safe.
      throw new UnavailableError('the connection was lost in COMMIT', { cause: error });
    },
  );
  if (command !== 'COMMIT') throw new RolledBackError(`COMMIT was answered with ${command}`);
}

/** Rolls back. Returns an error when that fails: the pool must then close the connection. */
export async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const MAX_RETRIES = 4;

/** Runs `work` again after a deadlock or a serialization failure. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_RETRIES || !isTransient(error)) throw error;
    }
  }
}
