import { rateLimited } from './rate-limits.ts';

interface PlaceOptions {
  /** How many operations of one holder may run at once. */
  max: number;
  /** The detail of the 429. */
  detail: string;
  /** The time after which the client should try again. */
  retryMs: number;
}

/**
 * Limits how many operations run at once for each holder, such as an account or a caller. Returns the function that takes one of
 * the holder's `max` places. That function throws a 429 when all are taken, and otherwise returns the function that frees the
 * place. Each process counts by itself.
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

/** The limits of concurrent operations: for each account, and for all accounts of this process together. */
interface SharedPlaceOptions {
  maxOfAccount: number;
  maxOfProcess: number;
  /** Writes the detail of the 429. `holder` is `An account` or `The service`, depending on which limit is used up. */
  describe: (max: number, holder: string) => string;
  retryMs: number;
}

/** Does as `createPlaces` with two limits: each operation takes one place of its account and one of the process. */
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
