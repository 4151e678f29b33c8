import { LIST_CONNECTIONS, type Pool, type Queryable } from '../database/index.ts';
import { createFairQueue } from './fair-queue.ts';

/** Returns the pool for the statements of one account. */
export type GetPool = (accountId: string) => Queryable;

/**
 * Shares the pool of lists between accounts, so that the long reports of one account do not take every connection. An account
 * uses at most half of them; its further statements wait up to 30 s, and then fail with an UnavailableError.
 */
export function sharePool(pool: Pool): GetPool {
  const runFair = createFairQueue({
    slots: LIST_CONNECTIONS,
    slotsPerAccount: LIST_CONNECTIONS / 2,
    maxWaitMs: 30_000,
  });
  return (accountId) => ({ query: (statement) => runFair(accountId, () => pool.query(statement)) });
}
