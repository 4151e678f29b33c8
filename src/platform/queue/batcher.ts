interface BatcherOptions<Item, Result> {
  /** Waits for a slot and runs the task in it. */
  runInSlot: <T>(key: string, task: () => Promise<T>) => Promise<T>;
  /** Processes a batch of one key. Returns the results in the order of the items. */
  run: (key: string, items: Item[]) => Promise<Result[]>;
  weigh: (item: Item) => number;
  maxItems: number;
  /** The most weight of a batch with several items. A single item may be heavier. */
  maxWeight: number;
}

interface WaitingItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Queue<Item, Result> {
  waiting: WaitingItem<Item, Result>[];
  /** How many batches of the key run, or wait for a slot. */
  batches: number;
}

/**
 * A second batch of a key starts with this many items. With fewer, its transaction would cost more than waiting for the first
 * batch.
 */
const SECOND_BATCH_MIN_ITEMS = 3;

/**
 * Creates the function that adds an item to the next batch of its key, and returns its result. An item that arrives alone is
 * processed at once. Items of the same key that arrive meanwhile form the next batch, which starts when the first one ends, or
 * earlier when there are enough items: PostgreSQL then works on one batch while Node.js prepares the other.
 */
export function createBatcher<Item, Result>({
  runInSlot,
  run,
  weigh,
  maxItems,
  maxWeight,
}: BatcherOptions<Item, Result>): (key: string, item: Item) => Promise<Result> {
  // The keys that have a batch in progress.
  const queues = new Map<string, Queue<Item, Result>>();

  async function runBatches(key: string, queue: Queue<Item, Result>): Promise<void> {
    queue.batches += 1;
    try {
      while (queue.waiting.length > 0) await runInSlot(key, () => runBatch(key, takeBatch(queue)));
    } finally {
      queue.batches -= 1;
      if (queue.batches === 0) queues.delete(key);
    }
  }

  function takeBatch({ waiting }: Queue<Item, Result>): WaitingItem<Item, Result>[] {
    let weight = 0;
    const tooHeavyIndex = waiting.findIndex(({ item }) => (weight += weigh(item)) > maxWeight);
    return waiting.splice(
      0,
      Math.min(maxItems, tooHeavyIndex === -1 ? maxItems : Math.max(tooHeavyIndex, 1)),
    );
  }

  async function runBatch(key: string, batch: WaitingItem<Item, Result>[]): Promise<void> {
    // The other batch may have taken all items while this one waited for a slot.
    if (batch.length === 0) return;
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

  function shouldStart({ batches, waiting }: Queue<Item, Result>): boolean {
    return batches === 0 || (batches === 1 && waiting.length >= SECOND_BATCH_MIN_ITEMS);
  }

  return function addToBatch(key, item) {
    return new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? { waiting: [], batches: 0 };
      queues.set(key, queue);
      queue.waiting.push({ item, resolve, reject });
      if (shouldStart(queue)) runBatches(key, queue).catch(reject);
    });
  };
}
