import type { Queryable } from '../platform/database/index.ts';
import {
  findLastSweep,
  findNewestRow,
  listAccountIds,
  storeFirstSweep,
  storeSweep,
} from './store.ts';

/** When the clock has moved more than this since the last sweep, a sweep waits. */
const STEP_MAX_MS = 24 * 60 * 60 * 1000;
/** How long a process waits until it trusts a clock that has jumped. */
const WAIT_MS = 24 * 60 * 60 * 1000;

/** The clocks of a sweeper. */
export interface SweepClock {
  now: () => Date;
  /** The milliseconds since the process started. A change of the system's clock does not change them. */
  monotonicMs: () => number;
}

export const PROCESS_CLOCK: SweepClock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

/** A clock that is too far past the last sweep to delete anything by it. */
export interface ClockJump {
  lastSweptAt: Date;
  now: Date;
  /** How long the process will wait until it trusts the clock. */
  waitMs: number;
}

/**
 * Creates the function that stores the time of a sweep, or returns a jump when the sweep must not trust the clock: one sweep by a
 * wrong clock would delete everything. The wait starts again when another server has swept meanwhile.
 */
export function createClockCheck(
  db: Queryable,
  { monotonicMs }: SweepClock,
): (now: Date) => Promise<ClockJump | null> {
  let jump: { lastMs: number; sinceMs: number } | null = null;

  function findWait(lastMs: number): number {
    if (jump?.lastMs !== lastMs) jump = { lastMs, sinceMs: monotonicMs() };
    return jump.sinceMs + WAIT_MS - monotonicMs();
  }

  return async function checkClock(now) {
    const startedAt = new Date(now.getTime() - monotonicMs());
    const lastSweptAt = (await findLastSweep(db)) ?? (await beginSweeps(db, now, startedAt));
    const lastMs = lastSweptAt.getTime();
    const waitMs = now.getTime() - lastMs > STEP_MAX_MS ? findWait(lastMs) : 0;
    if (waitMs > 0) return { lastSweptAt, now, waitMs };
    jump = null;
    await storeSweep(db, now);
    return null;
  };
}

/**
 * Stores a first time for a database that was never swept: that of the newest row from before this process started. Later rows
 * have their times from the clock that is to be checked.
 */
async function beginSweeps(db: Queryable, now: Date, startedAt: Date): Promise<Date> {
  let newestAt: Date | null = null;
  for (const id of await listAccountIds(db)) {
    const at = await findNewestRow(db, id, startedAt);
    if (at !== null && (newestAt === null || at > newestAt)) newestAt = at;
  }
  await storeFirstSweep(db, newestAt ?? now);
  return newestAt ?? now;
}
