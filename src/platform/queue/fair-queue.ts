import { UnavailableError } from '../database/index.ts';

interface FairQueueOptions {
  /** How many tasks run at once. */
  slots: number;
  /** How many of them may belong to one account. */
  slotsPerAccount: number;
  /** The longest wait of a task: then the queue rejects it with an UnavailableError. By default there is no limit. */
  maxWaitMs?: number;
}

/** Runs a task as soon as a slot is free. `key` names the account that the task belongs to, or the client's network. */
type RunFair = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue that shares its slots between accounts in round robin: an account that queues a thousand tasks delays
 * the task of another account by one task, not by a thousand.
 */
export function createFairQueue({ slots, slotsPerAccount, maxWaitMs }: FairQueueOptions): RunFair {
  // The accounts are in the order in which they get slots, and the tasks of each in the order of arrival.
  const waitingTasks = new Map<string, Set<() => void>>();
  const runningCounts = new Map<string, number>();
  let freeSlots = slots;

  function startTasks(): void {
    for (const [key, tasks] of waitingTasks) {
      if (freeSlots === 0) return;
      const [start] = tasks;
      if (start === undefined || (runningCounts.get(key) ?? 0) >= slotsPerAccount) continue;
      removeTask(key, start);
      const laterTasks = waitingTasks.get(key);
      // Move the account behind all others. The loop visits it again.
      if (laterTasks !== undefined && waitingTasks.delete(key)) waitingTasks.set(key, laterTasks);
      start();
    }
  }

  function removeTask(key: string, start: () => void): void {
    const tasks = waitingTasks.get(key);
    tasks?.delete(start);
    if (tasks?.size === 0) waitingTasks.delete(key);
  }

  function occupySlot(key: string): void {
    freeSlots -= 1;
    runningCounts.set(key, (runningCounts.get(key) ?? 0) + 1);
  }

  function releaseSlot(key: string): void {
    freeSlots += 1;
    const runningCount = (runningCounts.get(key) ?? 1) - 1;
    if (runningCount === 0) runningCounts.delete(key);
    else runningCounts.set(key, runningCount);
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
      const tasks = waitingTasks.get(key) ?? new Set();
      waitingTasks.set(key, tasks.add(start));
      startTasks();
    });
  }

  return async function runFair(key, task) {
    const hasSlot =
      freeSlots > 0 && !waitingTasks.has(key) && (runningCounts.get(key) ?? 0) < slotsPerAccount;
    if (hasSlot) occupySlot(key);
    else await waitForSlot(key);
    try {
      return await task();
    } finally {
      releaseSlot(key);
    }
  };
}
