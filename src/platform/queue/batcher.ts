interface BatcherOptions<Item, Result> {
  /** Waits for a slot and runs `start` in it. */
  inSlot: <T>(key: string, start: () => Promise<T>) => Promise<T>;
  /** Processes a batch of one key; the results are in the order of the items. */
  run: (key: string, items: Item[]) => Promise<Result[]>;
  weigh: (item: Item) => number;
  maxItems: number;
  /** A batch holds at least one item, however heavy it is. */
  maxWeight: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Adds items one by one and processes them in batches. */
export interface Batcher<Item, Result> {
  add: (key: string, item: Item) => Promise<Result>;
}

/**
 * Items of one key that arrive while its batch waits for a slot, or runs, form the next batch. Under load they share a
 * transaction; a single item runs at once.
 */
export function createBatcher<Item, Result>({
  inSlot,
  run,
  weigh,
  maxItems,
  maxWeight,
}: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  // A key is here while its batches run.
  const queues = new Map<string, Waiting<Item, Result>[]>();

  async function runBatches(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await inSlot(key, () => runBatch(key, takeBatch(queue)));
    queues.delete(key);
  }

  function takeBatch(queue: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    let weight = 0;
    const tooHeavy = queue.findIndex(({ item }) => (weight += weigh(item)) > maxWeight);
    return queue.splice(0, Math.min(maxItems, tooHeavy === -1 ? maxItems : Math.max(tooHeavy, 1)));
  }

  async function runBatch(key: string, batch: Waiting<Item, Result>[]): Promise<void> {
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
          const first = [{ item, resolve, reject }];
          queues.set(key, first);
          runBatches(key, first).catch(reject);
        }
      }),
  };
}
