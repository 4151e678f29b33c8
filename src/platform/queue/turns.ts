import { AsyncLocalStorage } from 'node:async_hooks';
import { UnavailableError } from '../database/index.ts';
import { sharing, type Pause } from './pieces.ts';

interface Limits {
  /** How much work runs at once. */
  lanes: number;
  /** How much of it may be one account's. */
  lanesOfAccount: number;
  /** The same beside others, which is when another account was there within the last second. */
  lanesBesideOthers?: number;
  /**
   * When an account that has more waiting rests after each piece of work for as long as that took: it then has no more
   * than half of the time, of which all else that others want is done. Never by default.
   */
  rests?: 'always' | 'beside others';
  /** How long work waits for its turn before it is given up with an UnavailableError. For ever by default. */
  patienceMs?: number;
}

/** For how long after its last request or turn an account counts as one that is there. */
const BESIDE_MS = 1_000;

/** Gives work its turn when a lane is free. */
export type TakeTurn = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** Who has asked for something, or had a turn, a moment ago. */
export interface Presence {
  note: (accountId: string) => void;
  hasOthersThan: (accountId: string) => boolean;
}

export function createPresence(): Presence {
  // The last two accounts that were there, and when.
  let last = { accountId: '', atMs: -Infinity };
  let before = last;
  return {
    note(accountId) {
      if (last.accountId !== accountId) [before, last] = [last, { accountId, atMs: 0 }];
      last.atMs = performance.now();
    },
    hasOthersThan(accountId) {
      const other = last.accountId === accountId ? before : last;
      return performance.now() - other.atMs < BESIDE_MS;
    },
  };
}

interface Parts {
  /** For turns of several kinds that are one account's presence. */
  presence?: Presence;
  /** Whether an account has to give way: by default whenever it is beside others. */
  givesWay?: (accountId: string) => boolean;
  rest?: Pause;
}

/** Shares lanes between accounts, which take turns, so that a busy one does not hold up another. */
export function createTurns(
  { lanes, lanesOfAccount, lanesBesideOthers = lanesOfAccount, rests, patienceMs }: Limits,
  { presence = createPresence(), givesWay = presence.hasOthersThan, rest = sharing }: Parts = {},
): TakeTurn {
  // Accounts with work that could run are in `turns`, once each, in the order of their turns.
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const running = new Map<string, number>();
  const turns: string[] = [];
  let free = lanes;

  function mayRest(accountId: string): boolean {
    return rests === 'beside others' ? givesWay(accountId) : rests === 'always';
  }

  function mayRun(accountId: string): boolean {
    const most = givesWay(accountId) ? lanesBesideOthers : lanesOfAccount;
    return (running.get(accountId) ?? 0) < most;
  }

  function ready(accountId: string): void {
    if (waiting.has(accountId) && mayRun(accountId) && !turns.includes(accountId))
      turns.push(accountId);
  }

  function next(): void {
    while (free > 0) {
      const accountId = turns.shift();
      if (accountId === undefined) return;
      const work = take(accountId);
      // What it waited for may have been given up.
      if (work !== undefined) void run(accountId, work);
    }
  }

  function take(accountId: string): (() => Promise<void>) | undefined {
    const all = waiting.get(accountId) ?? [];
    const work = all.shift();
    if (all.length === 0) waiting.delete(accountId);
    return work;
  }

  function giveUp(accountId: string, work: () => Promise<void>): void {
    const mine = waiting.get(accountId) ?? [];
    const at = mine.indexOf(work);
    if (at !== -1) mine.splice(at, 1);
    if (mine.length === 0) waiting.delete(accountId);
  }

  async function run(accountId: string, work: () => Promise<void>): Promise<void> {
    free -= 1;
    running.set(accountId, (running.get(accountId) ?? 0) + 1);
    ready(accountId);
    const startedMs = performance.now();
    presence.note(accountId);
    await work();
    free += 1;
    next();
    if (mayRest(accountId) && waiting.has(accountId)) await rest(performance.now() - startedMs);
    const others = (running.get(accountId) ?? 1) - 1;
    if (others === 0) running.delete(accountId);
    else running.set(accountId, others);
    ready(accountId);
    next();
  }

  // Whoever frees the lane begins it, and must not be taken for who asked.
  function wait(accountId: string, work: () => Promise<void>, refuse: (why: Error) => void): void {
    const inContext = AsyncLocalStorage.snapshot();
    const begin = (): Promise<void> => {
      clearTimeout(timer);
      return inContext(work);
    };
    const timer =
      patienceMs &&
      setTimeout(() => {
        giveUp(accountId, begin);
        refuse(new UnavailableError('its turn did not come'));
      }, patienceMs);
    const mine = waiting.get(accountId) ?? [];
    waiting.set(accountId, mine);
    mine.push(begin);
    ready(accountId);
    next();
  }

  return function takeTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settled = (): Promise<void> =>
        new Promise<T>((settle) => settle(work())).then(resolve, reject);
      const nobodyWaits = turns.length === 0 && !waiting.has(accountId);
      // What waits takes a timer, and its context along, which takes longer than all the rest.
      if (free > 0 && nobodyWaits && mayRun(accountId)) void run(accountId, settled);
      else wait(accountId, settled, reject);
    });
  };
}
