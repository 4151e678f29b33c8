import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { DAY_MS } from '../platform/text/index.ts';
import {
  findNewestRow,
  listAccountIds,
  lockLastSweep,
  storeFirstSweep,
  storeSweep,
  storeWait,
  type LastSweep,
} from './store.ts';

/** When the clock has moved more than this since the last sweep, a sweep waits. */
const STEP_MAX_MS = DAY_MS;
/** How long the sweeps wait until they trust a clock that has jumped. */
const WAIT_MS = DAY_MS;
/** The most that counts as waited between two checks of the clock, which are an hour apart: the clock may have jumped again. */
const WAITED_AT_ONCE_MAX_MS = 2 * 60 * 60 * 1000;

/** The clock of a sweeper. */
export interface SweepClock {
  now: () => Date;
  /** The milliseconds since the process started. A change of the system's clock does not change them. */
  uptimeMs: () => number;
}

/** The clock of this process. */
export const PROCESS_CLOCK: SweepClock = {
  now: () => new Date(),
  uptimeMs: () => performance.now(),
};

/** A clock that is too far past the last sweep to delete anything by it. */
export interface ClockJump {
  lastSweptAt: Date;
  now: Date;
  /** How long the sweeps will still wait until they trust the clock. */
  waitMs: number;
}

/**
 * Stores the time of a sweep, or returns a jump when the sweep must not trust the clock: one sweep by a wrong clock would delete
 * everything. All servers share one wait. It is stored, so a restart does not reset it. A sweep by a clock that has not jumped
 * ends it.
 */
export async function recordSweep(
  db: Pool,
  now: Date,
  uptimeMs: number,
): Promise<ClockJump | null> {
  const startedAt = new Date(now.getTime() - uptimeMs);
  return runInTransaction(db, async (tx) => {
    const { sweptAt, wait } = (await lockLastSweep(tx)) ?? (await beginSweeps(tx, now, startedAt));
    const hasJumped = now.getTime() - sweptAt.getTime() > STEP_MAX_MS;
    const waitedMs = wait === null ? 0 : wait.waitedMs + countWaited(wait.checkedAt, now);
    if (!hasJumped || waitedMs >= WAIT_MS) {
      await storeSweep(tx, now);
      return null;
    }
    await storeWait(tx, { waitedMs, checkedAt: now });
    return { lastSweptAt: sweptAt, now, waitMs: WAIT_MS - waitedMs };
  });
}

function countWaited(checkedAt: Date, now: Date): number {
  const stepMs = now.getTime() - checkedAt.getTime();
  return Math.min(Math.max(stepMs, 0), WAITED_AT_ONCE_MAX_MS);
}

/**
 * Stores a first time for a database that was never swept: that of the newest row from before this process started. Later rows
 * have their times from the clock that is to be checked.
 */
async function beginSweeps(db: Queryable, now: Date, startedAt: Date): Promise<LastSweep> {
  let newestAt: Date | null = null;
  for (const id of await listAccountIds(db)) {
    const at = await findNewestRow(db, id, startedAt);
    if (at !== null && (newestAt === null || at > newestAt)) newestAt = at;
  }
  const sweptAt = newestAt ?? now;
  await storeFirstSweep(db, sweptAt);
  return { sweptAt, wait: null };
}
