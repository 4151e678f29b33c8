import { setImmediate } from 'node:timers/promises';

/** How many of a batch's imports are worked on at once: some milliseconds. */
const PIECE = 100;

/** Works on many in pieces, in order; between two of them all else that is ready has its turn. */
export function inPieces<T, R>(all: T[], work: (piece: T[]) => R): Promise<R[]> {
  const count = Math.ceil(all.length / PIECE);
  const pieces = Array.from({ length: count }, (_, at) => all.slice(at * PIECE, (at + 1) * PIECE));
  return paced(pieces, work);
}

/** Works on one after the other; between two of them all else that is ready has its turn. */
export async function paced<T, R>(all: T[], work: (each: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const [at, each] of all.entries()) {
    if (at > 0) await setImmediate();
    results.push(work(each));
  }
  return results;
}
