import { LRUCache } from 'lru-cache';
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

/** A clock that was read is used this long. A change by another process is visible within it. */
const CACHED_MS = 250;
const CACHED_CLOCKS_MAX = 10_000;

const caches = new WeakMap<Queryable, LRUCache<string, number>>();

/** Finds an account's stock clock, in milliseconds, as it was at most 250 ms ago. */
export async function findStockClock(db: Queryable, accountId: string): Promise<number> {
  const cache = caches.get(db) ?? createCache(db);
  const clockMs = await cache.fetch(accountId);
  if (clockMs === undefined) throw new Error(`no account ${accountId}`);
  return clockMs;
}

/** Makes the next readers ask the database. A process that changes stock calls it after the commit. */
export function forgetStockClocks(db: Queryable): void {
  caches.get(db)?.clear();
}

function createCache(db: Queryable): LRUCache<string, number> {
  const cache = new LRUCache<string, number>({
    max: CACHED_CLOCKS_MAX,
    ttl: CACHED_MS,
    ttlResolution: 0,
    // `clear` aborts a read that is under way. Its readers still get the clock.
    ignoreFetchAbort: true,
    async fetchMethod(accountId, _expired, { options }) {
      const startedMs = performance.now();
      const clockMs = await readStockClock(db, accountId);
      // The clock was read at the start of the statement at the earliest, so it ages from there.
      options.ttl = Math.max(CACHED_MS - (performance.now() - startedMs), 1);
      return clockMs;
    },
  });
  caches.set(db, cache);
  return cache;
}

async function readStockClock(db: Queryable, accountId: string): Promise<number | undefined> {
  const [row] = await query<{ stockClock: Date }>(
    db,
    'account_stock_clock_read',
    sql`select stock_clock as "stockClock" from accounts where account_id = ${accountId}`,
  );
  return row?.stockClock.getTime();
}
