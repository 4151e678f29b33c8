import { setTimeout } from 'node:timers/promises';

/** How many of a batch's imports are worked on at once where others are served as well: a few milliseconds, here and in PostgreSQL. */
export const PIECE = 50;

/** The same beside others, whose lead waits for a piece in PostgreSQL when the two share a processor. */
export const PIECE_BESIDE_OTHERS = 16;

/** What is waited for between two pieces, of which the first took so long. */
export type Pause = (tookMs: number) => Promise<unknown>;

/** A piece that waited for the database for long is not paid for with a rest as long. */
const REST_MAX_MS = 250;

/**
 * All else has as long as the piece took. A short request needs several turns of the event loop, and would wait for a
 * piece in each of them.
 */
export const sharing: Pause = (tookMs) => setTimeout(Math.min(tookMs, REST_MAX_MS));

/** Works on many in pieces, in order; without a pause on all of them at once. */
export function inPieces<T, R>(
  all: T[],
  work: (piece: T[]) => R | Promise<R>,
  pause?: Pause,
  most = PIECE,
): Promise<R[]> {
  const size = pause === undefined ? all.length : most;
  const count = Math.ceil(all.length / size || 0);
  const pieces = Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
  return paced(pieces, work, pause);
}

/** Works on one after the other. */
export async function paced<T, R>(
  all: T[],
  work: (each: T) => R | Promise<R>,
  pause?: Pause,
): Promise<R[]> {
  const results: R[] = [];
  let tookMs = 0;
  for (const [at, each] of all.entries()) {
    if (at > 0) await pause?.(tookMs);
    const startedMs = performance.now();
    results.push(await work(each));
    tookMs = performance.now() - startedMs;
  }
  return results;
}

/** Does one long thing apart from what was done just before it and from what comes next, which may be as long. */
export async function apart<T>(work: () => T): Promise<T> {
  await sharing(0);
  const startedMs = performance.now();
  const result = work();
  await sharing(performance.now() - startedMs);
  return result;
}
