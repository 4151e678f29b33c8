import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../platform/database/index.ts';
import { sweep } from './sweep.ts';

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 60 * 60 * 1000;

interface SweeperOptions {
  /** The number of days after which a record is deleted. */
  logDays: number;
  /** Gets the error of a failed sweep; the next sweep runs all the same. */
  onError: (error: unknown) => void;
  firstAfterMs?: number;
  everyMs?: number;
}

/** Sweeps soon and then every hour, until `stop`. The timer does not keep the process alive. */
export function createSweeper(
  db: Queryable,
  { logDays, onError, firstAfterMs = FIRST_AFTER_MS, everyMs = EVERY_MS }: SweeperOptions,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false });

  async function run(): Promise<void> {
    await pause(firstAfterMs);
    for (;;) {
      await sweep(db, { logDays, now: new Date(), signal }).catch(onError);
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
