import sql, { type Sql } from 'sql-template-tag';
import type { Pool } from '../pool.ts';
import { query, type Queryable } from '../query.ts';
import { retryOnConflict } from '../transaction.ts';
import { NIL_ID } from '../../text/index.ts';

/* Reads and updates rows page by page before a migration. `fillRows` reads across accounts, which requests never do. */

const PAGE_MAX_ROWS = 1_000;

/** The statements that fill columns of a table. */
interface Filling<Row> {
  /** Selects up to `limit` rows of an account with ids after `afterId`, in the order of their ids. */
  select: (page: { accountId: string; afterId: string; limit: number }) => Sql;
  /** Updates the selected rows. */
  update: (accountId: string, rows: Row[]) => Sql;
}

/**
 * Fills columns of a table for all accounts. It commits each page of rows by itself, so it can be stopped and run again.
 */
export async function fillRows<Row extends { id: string }>(
  pool: Pool,
  table: string,
  { select, update }: Filling<Row>,
): Promise<void> {
  for (const accountId of await listAccountIds(pool))
    await forEachPage(
      (afterId, limit) =>
        query<Row>(pool, `${table}_to_fill`, select({ accountId, afterId, limit })),
      (rows) => retryOnConflict(() => query(pool, `${table}_fill`, update(accountId, rows))),
    );
}

/** Lists the ids of all accounts, in order. */
async function listAccountIds(db: Queryable): Promise<string[]> {
  const accounts = await query<{ id: string }>(
    db,
    'accounts_to_fill',
    sql`select account_id as id from accounts order by account_id`,
  );
  return accounts.map(({ id }) => id);
}

/**
 * Reads rows in pages of 1,000, in the order of their ids, and calls `work` with each page. `readPage` reads up to `limit`
 * rows with ids after `afterId`.
 */
export async function forEachPage<Row extends { id: string }>(
  readPage: (afterId: string, limit: number) => Promise<Row[]>,
  work: (page: Row[]) => Promise<unknown>,
): Promise<void> {
  let afterId: string | undefined = NIL_ID;
  while (afterId !== undefined) {
    const page: Row[] = await readPage(afterId, PAGE_MAX_ROWS);
    await work(page);
    afterId = page.length < PAGE_MAX_ROWS ? undefined : page.at(-1)?.id;
  }
}
