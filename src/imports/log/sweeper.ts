import { setTimeout as sleep } from 'node:timers/promises';
import { deleteOldEvents } from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { ANSWER_LIFETIME_MS } from '../../platform/idempotency/index.ts';
import { deleteOldFiles } from '../contact-files/store.ts';
import { recountRefusedBytes } from './refused-bytes.ts';
import { createClockCheck, PROCESS_CLOCK, type ClockJump, type SweepClock } from './sweep-clock.ts';
import { deleteKeys, deleteRecords, listAccountIds, STEP_MAX } from './sweep-store.ts';

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface SweeperOptions {
  /** The number of days after which a record is deleted. */
  logDays: number;
  /** The number of days after which an event is deleted. */
  eventDays: number;
  /** The number of days after which a file that is not imported is deleted. */
  fileDays: number;
  /** Receives the error of a failed sweep. The next sweep runs anyway. */
  onError: (error: unknown) => void;
  /** Receives the jump of the clock that keeps a sweep from deleting anything. */
  onJump: (jump: ClockJump) => void;
  /** The steps of other rooms, for one account. */
  sweepFurther?: ((accountId: string, now: Date) => Promise<void>) | undefined;
  clock?: SweepClock;
  firstAfterMs?: number;
  everyMs?: number;
}

/** Sweeps soon and then every hour, until `stop`. The timer does not keep the process alive. */
export function createSweeper(
  db: Queryable,
  {
    logDays,
    eventDays,
    fileDays,
    onError,
    onJump,
    sweepFurther,
    clock = PROCESS_CLOCK,
    firstAfterMs = FIRST_AFTER_MS,
    everyMs = EVERY_MS,
  }: SweeperOptions,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false });

  const checkClock = createClockCheck(db, clock);

  async function sweepByClock(): Promise<void> {
    const now = clock.now();
    const jump = await checkClock(now);
    if (jump !== null) return onJump(jump);
    await sweep(db, { logDays, eventDays, fileDays, now, sweepFurther, signal });
  }

  async function run(): Promise<void> {
    await pause(firstAfterMs);
    for (;;) {
      await sweepByClock().catch(onError);
      await pause(everyMs);
    }
  }

  // The aborted pause rejects, which ends the loop.
  const ended = run().catch(() => undefined);

  /** Stops the sweeper after the statement under way. */
  return async function stop(): Promise<void> {
    stopping.abort();
    await ended;
  };
}

interface Sweep {
  logDays: number;
  eventDays: number;
  fileDays: number;
  now: Date;
  sweepFurther?: SweeperOptions['sweepFurther'];
  /** When it aborts, the sweep ends after the statement under way. */
  signal?: AbortSignal;
}

/**
 * Deletes the old import records, idempotency keys, events and contact files of all accounts. Each step is a small transaction
 * that skips locked rows, so that imports go on and several servers can sweep at once.
 */
export async function sweep(
  db: Queryable,
  { logDays, eventDays, fileDays, now, sweepFurther, signal }: Sweep,
): Promise<void> {
  const recordsBefore = new Date(now.getTime() - logDays * DAY_MS);
  const eventsBefore = new Date(now.getTime() - eventDays * DAY_MS);
  const filesBefore = new Date(now.getTime() - fileDays * DAY_MS);
  const keysBefore = new Date(now.getTime() - ANSWER_LIFETIME_MS);
  for (const id of await listAccountIds(db)) {
    await repeatStep(() => deleteRecords(db, id, recordsBefore), signal);
    await repeatStep(() => deleteKeys(db, id, keysBefore), signal);
    await repeatStep(() => deleteOldEvents(db, id, eventsBefore), signal);
    await repeatStep(() => deleteOldFiles(db, id, { now, filesBefore, recordsBefore }), signal);
    if (!signal?.aborted) await recountRefusedBytes(db, id);
    if (!signal?.aborted) await sweepFurther?.(id, now);
  }
}

/** Repeats a step until it deletes fewer rows than it could. */
async function repeatStep(
  step: () => Promise<unknown[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    if (signal?.aborted) return;
    const deleted = await step();
    if (deleted.length < STEP_MAX) return;
  }
}
