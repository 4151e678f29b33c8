import sql from 'sql-template-tag';
import { query, type Queryable } from './query.ts';

/*
 * Work on the rows of all accounts, in code, before a migration. Requests never read across accounts.
 */

const PAGE_MAX_ROWS = 1_000;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Lists the ids of all accounts, in order. */
export async function listAccountIds(db: Queryable): Promise<string[]> {
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
  let afterId: string | undefined = LOWEST_ID;
  while (afterId !== undefined) {
    const page: Row[] = await readPage(afterId, PAGE_MAX_ROWS);
    await work(page);
    afterId = page.length < PAGE_MAX_ROWS ? undefined : page.at(-1)?.id;
  }
}
