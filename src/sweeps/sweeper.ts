import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, type Pool } from '../platform/database/index.ts';
import { PROCESS_CLOCK, recordSweep, type ClockJump, type SweepClock } from './clock.ts';
import { listSteps, type Retention } from './steps.ts';
import { listAccountIds } from './store.ts';

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 60 * 60 * 1000;

/** The step that failed. */
export interface FailedStep {
  step: string;
  accountId: string;
}

/** Receives the error of a step for one account, or of a whole sweep. */
type OnError = (error: unknown, failed?: FailedStep) => void;

interface SweeperOptions {
  /** The next sweep runs after an error, too. */
  onError: OnError;
  /** Receives the jump of the clock that keeps a sweep from deleting anything. */
  onJump: (jump: ClockJump) => void;
  clock?: SweepClock;
  firstAfterMs?: number;
  everyMs?: number;
}

/** Sweeps soon and then every hour, until `stop`. The timer does not keep the process alive. */
export function createSweeper(
  db: Pool,
  retention: Retention,
  {
    onError,
    onJump,
    clock = PROCESS_CLOCK,
    firstAfterMs = FIRST_AFTER_MS,
    everyMs = EVERY_MS,
  }: SweeperOptions,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false });

  async function sweepByClock(): Promise<void> {
    const now = clock.now();
    const jump = await recordSweep(db, now, clock.uptimeMs());
    if (jump !== null) return onJump(jump);
    await sweep(db, retention, { now, onError, signal });
  }

  async function run(): Promise<void> {
    await pause(firstAfterMs);
    for (;;) {
      await sweepByClock().catch((error: unknown) => onError(error));
      await pause(everyMs);
    }
  }

  // The aborted pause rejects, which ends the loop.
  const ended = run().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

  /** Stops the sweeper after the step or the statement under way. */
  return async function stop(): Promise<void> {
    stopping.abort();
    await ended;
  };
}

interface Sweep {
  now: Date;
  onError: OnError;
  /** When it aborts, the sweep ends after the step or the statement under way. */
  signal?: AbortSignal;
}

/**
 * Runs the steps for each account. A step that fails for one account keeps no other step and no other account from being swept.
 * Throws when the accounts cannot be listed, and when the database becomes unavailable.
 */
export async function sweep(
  db: Pool,
  retention: Retention,
  { now, onError, signal }: Sweep,
): Promise<void> {
  const steps = listSteps(db, retention);
  for (const accountId of await listAccountIds(db))
    for (const { name, run } of steps) {
      if (signal?.aborted) return;
      try {
        await run(accountId, now, signal);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        onError(error, { step: name, accountId });
      }
    }
}
