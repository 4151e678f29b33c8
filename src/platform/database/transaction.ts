import pg from 'pg';
import { isAbortedTransaction, isTransient, UnavailableError } from './errors.ts';
import type { Pool } from './pool.ts';
import { traced, type Queryable } from './query.ts';

type Isolation = 'read committed' | 'repeatable read, read only';

const ignore = (): void => undefined;

/**
 * Runs `work` in a transaction: commits when `work` returns, rolls back when it throws. Before COMMIT every statement must
 * have succeeded, including one that `work` did not await: when the driver cannot encode a value, PostgreSQL never gets
 * that statement, and would commit the others.
 */
export async function transaction<T>(
  pool: Pool,
  work: (tx: Queryable) => Promise<T>,
  isolation: Isolation = 'read committed',
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let firstError: unknown;
  let answers: Promise<unknown> = Promise.resolve();
  const track = <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    answers = Promise.all([answers, answer]).then(ignore);
    answers.catch(ignore);
    answer.catch((error: unknown) => (firstError ??= error));
    return answer;
  };
  try {
    // The first statements of `work` follow without waiting for the answer.
    void track(client.query(`begin isolation level ${isolation}`));
    const result = await work({ query: (statement) => track(client.query(statement)) });
    await answers;
    await commit(client);
    return result;
  } catch (error) {
    broken = await rollback(client);
    throw isAbortedTransaction(error) ? firstError : error;
  } finally {
    client.release(broken);
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await traced('commit', () => client.query('commit')).catch(
    (error: unknown) => {
      if (error instanceof pg.DatabaseError) throw error;
      // The writes may be there or not. Repeating the request is safe.
      throw new UnavailableError('the connection was lost in COMMIT', { cause: error });
    },
  );
  // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, which the driver does not report as an error.
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
}

/** Rolls back. Returns the error of a connection that must not be used again. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const RETRIES = 4;

/** Runs `work` again after a deadlock or a serialization failure. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === RETRIES || !isTransient(error)) throw error;
    }
  }
}
