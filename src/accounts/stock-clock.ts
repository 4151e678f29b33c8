import sql from 'sql-template-tag';
import { createLookUpCache, query, type Queryable } from '../platform/database/index.ts';

/**
 * Ticks an account's stock clock for `count` changed projects (0 when only the organization changed) and returns their
 * `updated_at`s, in order. The caller ticks in the transaction of its change and before it: the row lock puts the
 * writers of one account in commit order, so that `updated_at` is unique and increases in the order in which changes
 * become visible, even when the wall clocks of two servers differ.
 */
export async function tickStockClock(
  tx: Queryable,
  accountId: string,
  count: number,
  now: Date,
): Promise<Date[]> {
  const ticks = Math.max(count, 1);
  const [row] = await query<{ stockClock: Date }>(
    tx,
    'account_stock_clock_tick',
    sql`update accounts
      set stock_clock = greatest(${now}, stock_clock + ${ticks} * interval '1 millisecond')
      where account_id = ${accountId}
      returning stock_clock as "stockClock"`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  const last = row.stockClock.getTime();
  return Array.from({ length: count }, (_, index) => new Date(last - count + 1 + index));
}

const caches = new WeakMap<Queryable, ReturnType<typeof createLookUpCache<number>>>();

/** Finds an account's stock clock, in milliseconds, as it was at most 250 ms ago: at once when it is cached. */
export function findStockClock(db: Queryable, accountId: string): number | Promise<number> {
  let cache = caches.get(db);
  if (cache === undefined) {
    cache = createLookUpCache((id) => readStockClock(db, id));
    caches.set(db, cache);
  }
  return cache.get(accountId) ?? cache.forceFetch(accountId);
}

/** Makes the next readers ask the database. A process that changes stock calls it after the commit. */
export function forgetStockClocks(db: Queryable): void {
  caches.get(db)?.clear();
}

async function readStockClock(db: Queryable, accountId: string): Promise<number | undefined> {
  const [row] = await query<{ stockClock: Date }>(
    db,
    'account_stock_clock_read',
    sql`select stock_clock as "stockClock" from accounts where account_id = ${accountId}`,
  );
  return row?.stockClock.getTime();
}
