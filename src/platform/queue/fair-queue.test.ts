import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { UnavailableError } from '../database/index.ts';
import { createFairQueue } from './fair-queue.ts';

/** A queue whose tasks end when the test says so. */
function createTestQueue(options: Parameters<typeof createFairQueue>[0]) {
  const runFair = createFairQueue(options);
  const started: string[] = [];
  const ends = new Map<string, () => void>();

  function add(account: string, name: string): Promise<string> {
    return runFair(account, () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    });
  }

  async function end(...names: string[]): Promise<void> {
    for (const name of names) ends.get(name)?.();
    await yieldToEventLoop();
  }

  return { runFair, add, end, started };
}

test('a task runs at once when a slot is free, and its caller gets the result', async () => {
  const { add, end, started } = createTestQueue({ slots: 1, slotsPerAccount: 1 });
  const result = add('a', 'one');
  assert.deepEqual(started, ['one']);
  await end('one');
  assert.equal(await result, 'one');
});

test('no more tasks run at once than there are slots', async () => {
  const { add, end, started } = createTestQueue({ slots: 2, slotsPerAccount: 2 });
  for (const name of ['a', 'b', 'c', 'd']) void add(name, name);
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('a', 'c');
  assert.deepEqual(started, ['a', 'b', 'c', 'd']);
});

test('an account gets no more than its own share, even when other slots are free', async () => {
  const { add, end, started } = createTestQueue({ slots: 4, slotsPerAccount: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name);
  await yieldToEventLoop();
  assert.deepEqual(started, ['a1', 'a2']);
  void add('b', 'b1');
  await end('a2');
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3']);
  await end('b1');
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3']);
  await end('a3');
  assert.equal(started.at(-1), 'a4');
});

test('accounts alternate: a long queue of one delays another by one task', async () => {
  const { add, end, started } = createTestQueue({ slots: 1, slotsPerAccount: 1 });
  for (let n = 0; n < 50; n += 1) void add('busy', `busy ${n}`);
  for (const name of ['quiet 0', 'quiet 1']) void add('quiet', name);
  void add('other', 'other 0');
  for (let n = 0; n < 6; n += 1) await end(started.at(-1) ?? '');
  const expected = ['busy 0', 'busy 1', 'quiet 0', 'other 0', 'busy 2', 'quiet 1', 'busy 3'];
  assert.deepEqual(started, expected);
});

test('the tasks of one account start in the order of arrival', async () => {
  const { add, end, started } = createTestQueue({ slots: 1, slotsPerAccount: 1 });
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names) void add('a', name);
  for (const name of names) await end(name);
  assert.deepEqual(started, names);
});

test('a task that waited too long is rejected and never starts', async () => {
  const { add, end, started } = createTestQueue({ slots: 2, slotsPerAccount: 1, maxWaitMs: 20 });
  const first = add('a', 'a1');
  const late = [add('a', 'a2'), add('a', 'a3')];
  for (const each of late) await assert.rejects(each, UnavailableError);
  const last = add('a', 'a4');
  await end('a1');
  assert.deepEqual(started, ['a1', 'a4']);
  await end('a4');
  assert.deepEqual([await first, await last], ['a1', 'a4']);
});

for (const [how, fail] of [
  ['rejects', () => Promise.reject(new Error('lost'))],
  [
    'throws at once',
    (): Promise<never> => {
      throw new Error('lost');
    },
  ],
] as const)
  test(`the caller gets the error of a task that ${how}, and its slot is free again`, async () => {
    const { runFair, add, started } = createTestQueue({ slots: 1, slotsPerAccount: 1 });
    for (let n = 0; n < 3; n += 1) await assert.rejects(runFair('a', fail), { message: 'lost' });
    void add('a', 'one');
    assert.deepEqual(started, ['one']);
  });

test('a task runs in the AsyncLocalStorage context of its caller', async () => {
  const runFair = createFairQueue({ slots: 1, slotsPerAccount: 1 });
  const caller = new AsyncLocalStorage<string>();
  const seen = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      caller.run(name, () =>
        runFair(name, async () => {
          await yieldToEventLoop();
          return caller.getStore();
        }),
      ),
    ),
  );
  assert.deepEqual(seen, ['a', 'b', 'c']);
});

test('the limits hold and every task runs, whatever arrives when', async () => {
  const runFair = createFairQueue({ slots: 4, slotsPerAccount: 2 });
  const running = new Map<string, number>();
  let most = 0;
  let done = 0;
  const task = (account: string, ticks: number) => async () => {
    const own = (running.get(account) ?? 0) + 1;
    running.set(account, own);
    assert.ok(own <= 2, `${own} tasks of one account`);
    most = Math.max(
      most,
      [...running.values()].reduce((sum, each) => sum + each),
    );
    for (let n = 0; n < ticks; n += 1) await yieldToEventLoop();
    running.set(account, (running.get(account) ?? 0) - 1);
    done += 1;
  };
  const all = Array.from({ length: 300 }, async (_, n) => {
    if (n % 3) await yieldToEventLoop();
    await runFair(`account ${(n * 7) % 5}`, task(`account ${(n * 7) % 5}`, n % 4));
  });
  await Promise.all(all);
  assert.deepEqual([most, done], [4, 300]);
});
