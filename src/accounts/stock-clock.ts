import { setTimeout } from 'node:timers/promises';
import sql from 'sql-template-tag';
import {
  addMilliseconds,
  createLookUpCache,
  query,
  type Queryable,
} from '../platform/database/index.ts';

/**
 * Ticks an account's stock clock once for each of `count` changed projects. Returns their new `updated_at`, in order. The
 * caller ticks in the transaction of its change, before it writes: the row lock puts the writers of one account in commit
 * order, so `updated_at` is unique and increasing, even when the clocks of two servers differ.
 */
export async function tickStockClock(
  tx: Queryable,
  accountId: string,
  count: number,
  now: Date,
): Promise<Date[]> {
  // A change of the organization alone ticks once as well.
  const tickCount = Math.max(count, 1);
  const [row] = await query<{ stockClock: Date }>(
    tx,
    'account_stock_clock_tick',
    sql`update accounts
      set stock_clock = greatest(${now}, ${addMilliseconds(sql`stock_clock`, tickCount)})
      where account_id = ${accountId}
      returning stock_clock as "stockClock"`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  const lastMs = row.stockClock.getTime();
  return Array.from({ length: count }, (_, index) => new Date(lastMs - count + 1 + index));
}

/** How long a process caches a stock clock. After this time, every process sees a committed change. */
const CACHED_MS = 10;

const caches = new WeakMap<Queryable, ReturnType<typeof createLookUpCache<number>>>();

/** Finds an account's stock clock in milliseconds. The value may be `CACHED_MS` old. Returns no promise when it is cached. */
export function findStockClockMs(db: Queryable, accountId: string): number | Promise<number> {
  let cache = caches.get(db);
  if (cache === undefined) {
    cache = createLookUpCache((id) => readStockClock(db, id), CACHED_MS);
    caches.set(db, cache);
  }
  return cache.get(accountId) ?? cache.forceFetch(accountId);
}

/** Clears the cache, so that the next readers ask the database. A process that changed stock calls it after COMMIT. */
export function clearStockClockCache(db: Queryable): void {
  caches.get(db)?.clear();
}

/**
 * Waits until the cached stock clocks of all processes have expired, so that each sees a change. A service function calls it between COMMIT and the answer, so that the client
 * sees its own change, whichever process gets its next request.
 */
export async function waitForStockCaches(db: Queryable): Promise<void> {
  clearStockClockCache(db);
  await setTimeout(CACHED_MS);
}

async function readStockClock(db: Queryable, accountId: string): Promise<number | undefined> {
  const [row] = await query<{ stockClock: Date }>(
    db,
    'account_stock_clock_read',
    sql`select stock_clock as "stockClock" from accounts where account_id = ${accountId}`,
  );
  return row?.stockClock.getTime();
}
