import { rateLimited } from './rate-limits.ts';

interface PlaceOptions {
  /** How many places each holder has. */
  max: number;
  /** Tells a holder who has none left. */
  detail: string;
  /** When to try again. */
  retryMs: number;
}

/**
 * Creates the function that takes one of the places of a holder, and throws a 429 when all are taken. It returns the function
 * that frees the place. Each process counts by itself.
 */
export function createPlaces({
  max,
  detail,
  retryMs,
}: PlaceOptions): (holder: string) => () => void {
  const taken = new Map<string, number>();

  function change(holder: string, by: number): void {
    const count = (taken.get(holder) ?? 0) + by;
    if (count > 0) taken.set(holder, count);
    else taken.delete(holder);
  }

  return function takePlace(holder) {
    if ((taken.get(holder) ?? 0) >= max) throw rateLimited(detail, { resetMs: retryMs });
    change(holder, 1);
    let isTaken = true;
    return () => {
      if (isTaken) change(holder, -1);
      isTaken = false;
    };
  };
}
