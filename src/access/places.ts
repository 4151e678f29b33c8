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

/** The places of each account, and those of all accounts together. */
interface SharedPlaceOptions {
  maxOfAccount: number;
  maxOfProcess: number;
  /** Tells a holder who has none left: an account, or the service. */
  describe: (max: number, holder: string) => string;
  retryMs: number;
}

/** Creates the function that takes a place of an account and one of the process, and returns the one that frees both. */
export function createSharedPlaces({
  maxOfAccount,
  maxOfProcess,
  describe,
  retryMs,
}: SharedPlaceOptions): (accountId: string) => () => void {
  const makePlaces = (max: number, holder: string) =>
    createPlaces({ max, detail: describe(max, holder), retryMs });
  const ofAccount = makePlaces(maxOfAccount, 'An account');
  const ofProcess = makePlaces(maxOfProcess, 'The service');
  return (accountId) => {
    const free = ofAccount(accountId);
    try {
      const freeOther = ofProcess('');
      return () => [free, freeOther].forEach((each) => each());
    } catch (error) {
      free();
      throw error;
    }
  };
}
