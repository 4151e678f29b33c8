import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

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
