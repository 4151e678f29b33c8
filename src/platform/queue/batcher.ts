interface BatcherOptions<Item, Result> {
  /** Waits for a slot and runs the task in it. */
  runInSlot: <T>(key: string, task: () => Promise<T>) => Promise<T>;
  /** Processes a batch of one key. Returns the results in the order of the items. */
  run: (key: string, items: Item[]) => Promise<Result[]>;
  weigh: (item: Item) => number;
  maxItems: number;
  /** The most weight of a batch of several items. A single item may have any weight. */
  maxWeight: number;
}

interface WaitingItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Processes items in batches. */
export interface Batcher<Item, Result> {
  /** Adds an item to the next batch of its key. Returns its result. */
  add: (key: string, item: Item) => Promise<Result>;
}

/**
 * Creates a batcher. An item that arrives alone is processed at once. Items that arrive while a batch of their key waits or
 * runs form the next batch.
 */
export function createBatcher<Item, Result>({
  runInSlot,
  run,
  weigh,
  maxItems,
  maxWeight,
}: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  // The waiting items of each key that has a batch in progress.
  const queues = new Map<string, WaitingItem<Item, Result>[]>();

  async function runBatches(key: string, queue: WaitingItem<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await runInSlot(key, () => runBatch(key, takeBatch(queue)));
    queues.delete(key);
  }

  function takeBatch(queue: WaitingItem<Item, Result>[]): WaitingItem<Item, Result>[] {
    let weight = 0;
    const tooHeavyIndex = queue.findIndex(({ item }) => (weight += weigh(item)) > maxWeight);
    return queue.splice(
      0,
      Math.min(maxItems, tooHeavyIndex === -1 ? maxItems : Math.max(tooHeavyIndex, 1)),
    );
  }

  async function runBatch(key: string, batch: WaitingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    add: (key, item) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(key);
        if (queue !== undefined) queue.push({ item, resolve, reject });
        else {
          const newQueue = [{ item, resolve, reject }];
          queues.set(key, newQueue);
          runBatches(key, newQueue).catch(reject);
        }
      }),
  };
}
