import { rateLimited } from './rate-limits.ts';

interface SlotOptions {
  /** How many operations of one holder may run at once. */
  max: number;
  /** The detail of the 429. */
  detail: string;
  /** The time after which the client should try again. */
  retryMs: number;
}

/**
 * Limits how many operations run at once for each holder, such as an account or a caller. Returns the function that takes one of
 * the holder's `max` slots. That function throws a 429 when all are taken, and otherwise returns the function that frees the
 * slot. Each process counts by itself.
 */
export function createSlots({ max, detail, retryMs }: SlotOptions): (holder: string) => () => void {
  const taken = new Map<string, number>();

  function change(holder: string, by: number): void {
    const count = (taken.get(holder) ?? 0) + by;
    if (count > 0) taken.set(holder, count);
    else taken.delete(holder);
  }

  return function takeSlot(holder) {
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
interface SharedSlotOptions {
  maxOfAccount: number;
  maxOfProcess: number;
  /** Writes the detail of the 429. `holder` is `An account` or `The service`, depending on which limit is used up. */
  describe: (max: number, holder: string) => string;
  retryMs: number;
}

/** Works as `createSlots`, with two limits: each operation takes one slot of its account and one of the process. */
export function createSharedSlots({
  maxOfAccount,
  maxOfProcess,
  describe,
  retryMs,
}: SharedSlotOptions): (accountId: string) => () => void {
  const makeSlots = (max: number, holder: string) =>
    createSlots({ max, detail: describe(max, holder), retryMs });
  const ofAccount = makeSlots(maxOfAccount, 'An account');
  const ofProcess = makeSlots(maxOfProcess, 'The service');
  return (accountId) => {
    const freeOfAccount = ofAccount(accountId);
    try {
      const freeOfProcess = ofProcess('');
      return () => [freeOfAccount, freeOfProcess].forEach((free) => free());
    } catch (error) {
      freeOfAccount();
      throw error;
    }
  };
}
