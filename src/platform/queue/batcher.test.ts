import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createBatcher } from './batcher.ts';

/** A batcher of texts whose batches end when the test says so. */
function createTestBatcher({ maxItems = 10, maxWeight = 100 } = {}) {
  const batches: string[][] = [];
  const ends: ((results?: string[]) => void)[] = [];
  const add = createBatcher<string, string>({
    runInSlot: (_key, task) => task(),
    run: (_key, items) => {
      batches.push(items);
      return new Promise((resolve) => ends.push((results = items) => resolve(results)));
    },
    weigh: (item) => item.length,
    maxItems,
    maxWeight,
  });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await yieldToEventLoop();
  };
  return { add, batches, end };
}

test('an item that is alone runs at once, and its caller gets the result', async () => {
  const { add, batches, end } = createTestBatcher();
  const result = add('a', 'one');
  assert.deepEqual(batches, [['one']]);
  await end();
  assert.equal(await result, 'one');
});

test('items that arrive while a batch runs form the next batch, in their order', async () => {
  const { add, batches, end } = createTestBatcher();
  const all = ['one', 'two', 'three'].map((item) => add('a', item));
  assert.deepEqual(batches, [['one']]);
  await end();
  void add('a', 'four');
  await end();
  await end();
  assert.deepEqual(batches, [['one'], ['two', 'three'], ['four']]);
  assert.deepEqual(await Promise.all(all), ['one', 'two', 'three']);
});

test('three items do not wait for the batch that runs; two batches of a key run at once, and no third', async () => {
  const { add, batches, end } = createTestBatcher();
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((item) => add('k', item));
  assert.deepEqual(batches, [['a'], ['b', 'c', 'd']]);
  await end();
  assert.deepEqual(batches, [['a'], ['b', 'c', 'd'], ['e', 'f', 'g', 'h']]);
  await end();
  await end();
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});

test('keys do not share a batch and do not wait for each other', async () => {
  const { add, batches } = createTestBatcher();
  void add('a', 'one');
  void add('b', 'two');
  assert.deepEqual(batches, [['one'], ['two']]);
});

test('a batch is bounded in items and in weight, and an item over the weight goes alone', async () => {
  const { add, batches, end } = createTestBatcher({ maxItems: 2, maxWeight: 5 });
  for (const item of ['a', 'b', 'c', 'dd', 'eeee', 'ffffffff', 'g']) void add('k', item);
  for (let n = 0; n < 6; n += 1) await end();
  assert.deepEqual(batches, [['a'], ['b', 'c'], ['dd'], ['eeee'], ['ffffffff'], ['g']]);
});

test('a batch that fails rejects its items, and the next batch runs', async () => {
  let isBroken = true;
  const add = createBatcher<string, string>({
    runInSlot: (_key, task) => task(),
    run: async (_key, items) => {
      if (isBroken) throw new Error('lost');
      return items;
    },
    weigh: () => 1,
    maxItems: 10,
    maxWeight: 10,
  });
  await assert.rejects(add('a', 'one'), { message: 'lost' });
  isBroken = false;
  assert.equal(await add('a', 'two'), 'two');
});
