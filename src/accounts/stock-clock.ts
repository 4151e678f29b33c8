import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import sql from 'sql-template-tag';
import { addMilliseconds, query, type Queryable } from '../platform/database/index.ts';

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

/** How long a process uses a read of a stock clock. After this time, every process sees a committed change. */
const USED_MS = 10;
const READS_MAX = 1_000;

/** A read of a stock clock. It has the time of a change that was committed before it started. */
interface ClockRead {
  startedMs: number;
  ended: Promise<number>;
  /** Undefined until it has ended. */
  clockMs?: number;
}

const caches = new WeakMap<Queryable, LRUCache<string, ClockRead>>();

/**
 * Finds an account's stock clock in milliseconds, by a read that started less than `USED_MS` ago. A slow read counts from its start,
 * too: what was committed since may not be in it. Returns no promise when the read has ended.
 */
export function findStockClockMs(db: Queryable, accountId: string): number | Promise<number> {
  let cache = caches.get(db);
  if (cache === undefined) {
    cache = new LRUCache({ max: READS_MAX });
    caches.set(db, cache);
  }
  const startedMs = performance.now();
  const latest = cache.get(accountId);
  if (latest !== undefined && startedMs - latest.startedMs < USED_MS)
    return latest.clockMs ?? latest.ended;
  const read: ClockRead = {
    startedMs,
    ended: readStockClock(db, accountId).then((clockMs) => (read.clockMs = clockMs)),
  };
  cache.set(accountId, read);
  return read.ended;
}

/** Clears the cache, so that the next readers ask the database. A process that changed stock calls it after COMMIT. */
export function clearStockClockCache(db: Queryable): void {
  caches.get(db)?.clear();
}

/**
 * Waits until the cached stock clocks of all processes have expired, so that each sees a change. A service function calls it
 * between COMMIT and the answer, so that the client sees its own change, whichever process gets its next request.
 */
export async function waitForStockCaches(db: Queryable): Promise<void> {
  clearStockClockCache(db);
  await sleep(USED_MS);
}

async function readStockClock(db: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ stockClock: Date }>(
    db,
    'account_stock_clock_read',
    sql`select stock_clock as "stockClock" from accounts where account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row.stockClock.getTime();
}
