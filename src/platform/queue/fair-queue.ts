import { UnavailableError } from '../database/index.ts';

interface FairQueueOptions {
  /** How many tasks run at once. */
  slots: number;
  /** How many of them may belong to one account. */
  slotsPerAccount: number;
  /** How long a task may wait before it is rejected with an UnavailableError. Without it a task waits for ever. */
  maxWaitMs?: number;
}

/** Runs a task as soon as a slot is free. `key` is an account's id, or whatever else the slots are shared between. */
type RunFair = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * Shares slots between accounts in round robin: an account that queues a thousand tasks delays another account's task by
 * one task, not by a thousand.
 */
export function createFairQueue({ slots, slotsPerAccount, maxWaitMs }: FairQueueOptions): RunFair {
  // The accounts stand in the order in which they get the next slots; their tasks in the order of arrival.
  const waiting = new Map<string, Set<() => void>>();
  const running = new Map<string, number>();
  let free = slots;

  function startTasks(): void {
    for (const [key, tasks] of waiting) {
      if (free === 0) return;
      const [start] = tasks;
      if (start === undefined || (running.get(key) ?? 0) >= slotsPerAccount) continue;
      removeTask(key, start);
      const others = waiting.get(key);
      // Behind all other accounts; the loop comes to it again.
      if (others !== undefined && waiting.delete(key)) waiting.set(key, others);
      start();
    }
  }

  function removeTask(key: string, start: () => void): void {
    const tasks = waiting.get(key);
    tasks?.delete(start);
    if (tasks?.size === 0) waiting.delete(key);
  }

  function occupySlot(key: string): void {
    free -= 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  }

  function releaseSlot(key: string): void {
    free += 1;
    const others = (running.get(key) ?? 1) - 1;
    if (others === 0) running.delete(key);
    else running.set(key, others);
    startTasks();
  }

  function waitForSlot(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        occupySlot(key);
        resolve();
      };
      const giveUp = (): void => {
        removeTask(key, start);
        reject(new UnavailableError('no slot became free in time'));
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      const tasks = waiting.get(key) ?? new Set();
      waiting.set(key, tasks.add(start));
      startTasks();
    });
  }

  return async function runFair(key, task) {
    const hasSlot = free > 0 && !waiting.has(key) && (running.get(key) ?? 0) < slotsPerAccount;
    if (hasSlot) occupySlot(key);
    else await waitForSlot(key);
    try {
      return await task();
    } finally {
      releaseSlot(key);
    }
  };
}
