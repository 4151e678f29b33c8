import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../platform/database/index.ts';
import { sweep } from './sweep.ts';

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 60 * 60 * 1000;

interface SweeperOptions {
  /** After how many days a record of an import is deleted. */
  logDays: number;
  /** Told why a sweep failed; the next one is tried all the same. */
  onError: (error: unknown) => void;
  firstAfterMs?: number;
  everyMs?: number;
}

/** Sweeps soon and then every hour, until it is stopped. Does not keep the process alive. */
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

  // It ends with the pause that is cut short.
  const ended = run().catch(() => undefined);

  /** Ends it, after the statement under way. */
  return async function stop(): Promise<void> {
    stopping.abort();
    await ended;
  };
}
