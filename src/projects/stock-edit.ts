import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import { clearStockClockCache, lockAccount } from '../accounts/index.ts';
import { readAuthor, type Author } from '../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../platform/database/index.ts';
import { createOnce, type IdempotencyClaim } from '../platform/idempotency/index.ts';
import type { StockReader } from './list/service.ts';

/** The one who edits the stock of an account. */
export interface StockEditor extends StockReader {
  db: Pool;
  /** As the events name them. */
  author: Author;
}

/** Reads who sends a request that edits stock. */
export function readStockEditor(
  request: FastifyRequest,
  { db, imageBases }: Pick<StockEditor, 'db' | 'imageBases'>,
): StockEditor {
  const { accountId } = getPrincipal(request);
  return { db, imageBases, accountId, author: readAuthor(request) };
}

/**
 * Edits stock in one transaction. `edit` runs under the lock of the account: no other edit and no load changes its stock
 * meanwhile. The next requests to this process see the change; those to another one within 250 ms.
 */
export function editStock<Result>(
  { db, accountId }: StockEditor,
  edit: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return showNext(db, () =>
    runInTransaction(db, async (tx) => {
      await lockAccount(tx, accountId);
      return edit(tx);
    }),
  );
}

/** Creates stock like `editStock`, at most once for an Idempotency-Key. `path` is where the new rows are. */
export function createStock<Resource extends { id: string }>(
  { db, accountId }: StockEditor,
  { claim, path }: { claim: IdempotencyClaim | null; path: string },
  create: (tx: Queryable) => Promise<Resource>,
): Promise<{ resource: Resource; isRepeat: boolean }> {
  return showNext(db, () =>
    createOnce(db, { accountId, claim, path }, async (tx) => {
      await lockAccount(tx, accountId);
      return create(tx);
    }),
  );
}

/** Runs a transaction, again after a conflict, and makes the next readers ask for the stock clock. */
async function showNext<Result>(db: Pool, run: () => Promise<Result>): Promise<Result> {
  try {
    return await retryOnConflict(run);
  } finally {
    clearStockClockCache(db);
  }
}
