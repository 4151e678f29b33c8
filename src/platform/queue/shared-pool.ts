import { LIST_CONNECTIONS, type Pool, type Queryable } from '../database/index.ts';
import { createFairQueue } from './fair-queue.ts';

/** Gives an account its share of a pool. */
export type PoolShare = (accountId: string) => Queryable;

/**
 * Shares the pool of lists between accounts, so that the long reports of one account do not take every connection. A statement
 * waits for the statements of its own account. It is refused with an UnavailableError after 30 s.
 */
export function sharePool(pool: Pool): PoolShare {
  const runFair = createFairQueue({
    slots: LIST_CONNECTIONS,
    slotsPerAccount: LIST_CONNECTIONS / 2,
    maxWaitMs: 30_000,
  });
  return (accountId) => ({ query: (statement) => runFair(accountId, () => pool.query(statement)) });
}
