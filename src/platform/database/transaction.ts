import pg from 'pg';
import { isTransient, UnavailableError } from './errors.ts';
import type { Pool } from './pool.ts';
import { query, traced, type Queryable, type Statement } from './query.ts';

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
  let answers: Promise<unknown> = Promise.resolve();
  const track = <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    answers = Promise.all([answers, answer]).then(ignore);
    answers.catch(ignore);
    return answer;
  };
  try {
    await client.query(`begin isolation level ${isolation}`);
    const result = await work({ query: (statement) => track(client.query(statement)) });
    await answers;
    await commit(client);
    return result;
  } catch (error) {
    broken = await rollback(client);
    throw error;
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

/** The work of a transaction that reads first, then writes. */
interface Exchange<Found, Result> {
  read: (tx: Queryable) => Promise<Found>;
  decide: (tx: Queryable, found: Found) => Promise<{ result: Result; statements: Statement[] }>;
}

/** Runs a transaction that reads, decides and sends its writes together. */
export function exchange<Found, Result>(
  pool: Pool,
  { read, decide }: Exchange<Found, Result>,
): Promise<Result> {
  return transaction(pool, async (tx) => {
    const { result, statements } = await decide(tx, await read(tx));
    for (const statement of statements) send(tx, statement);
    return result;
  });
}

/** Sends a statement of a transaction without waiting for its answer. The transaction fails when the statement does. */
function send(tx: Queryable, { name, sql }: Statement): void {
  query(tx, name, sql).catch(ignore);
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
