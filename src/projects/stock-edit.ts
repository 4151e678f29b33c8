import type { FastifyRequest } from 'fastify';
import { getPrincipal, type Principal } from '../access/index.ts';
import { clearStockClockCache, lockAccount, waitForStockCaches } from '../accounts/index.ts';
import { readAuthor, type Author } from '../events/index.ts';
import type { Pool, Queryable } from '../platform/database/index.ts';
import { answerOnce, type IdempotencyClaim } from '../platform/idempotency/index.ts';
import type { ImageBases } from '../platform/text/index.ts';

/** The account whose stock is edited, and the author of the edit. */
export interface StockEditor {
  db: Pool;
  principal: Principal;
  /** The author of the events. */
  author: Author;
  imageBases: ImageBases;
}

/** Reads the editor (the account and the author of events) from a request that edits stock. */
export function readStockEditor(
  request: FastifyRequest,
  stock: Pick<StockEditor, 'db' | 'imageBases'>,
): StockEditor {
  return { ...stock, principal: getPrincipal(request), author: readAuthor(request) };
}

/** The claim of a request with an Idempotency-Key, and the status of its answer. */
interface AnswerOptions {
  claim: IdempotencyClaim | null;
  status: number;
}

/**
 * Runs `edit` in a transaction that has locked the account, so that no other edit or load changes its stock before COMMIT. It
 * returns when the next request to any process sees the change. With an Idempotency-Key, a repeated request gets the first result.
 */
export async function editStock<Result extends object>(
  { db, principal: { accountId } }: Pick<StockEditor, 'db' | 'principal'>,
  edit: (tx: Queryable) => Promise<Result>,
  { claim, status }: AnswerOptions = { claim: null, status: 200 },
): Promise<{ result: Result; isRepeat: boolean }> {
  try {
    const answer = await answerOnce(db, { accountId, claim, status }, async (tx) => {
      await lockAccount(tx, accountId);
      return edit(tx);
    });
    await waitForStockCaches(db);
    return answer;
  } finally {
    // PostgreSQL may have committed even when COMMIT failed, so clear the cached clock.
    clearStockClockCache(db);
  }
}
