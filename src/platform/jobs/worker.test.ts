import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createWorker } from './worker.ts';

const EVERY_MS = 200;

test('a short poll of one account does not shorten the wait after a long poll of all accounts', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const polls: (string[] | null)[] = [];
  const claim = async (accountIds: string[] | null) => {
    polls.push(accountIds);
    nowMs += accountIds === null ? 50 : 1;
    return undefined;
  };
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    t.mock.timers.tick(ms);
    await yieldToEventLoop();
  };
  const run = async () => undefined;
  const worker = createWorker({ slots: 1, everyMs: EVERY_MS, claim, run, onError: assert.ifError });
  worker.start();
  await yieldToEventLoop();
  await pass(EVERY_MS);
  assert.deepEqual(polls, [null, null]);
  worker.wake('a');
  await pass(EVERY_MS);
  assert.deepEqual(polls.slice(2), [['a']]);
  for (let round = 0; round < 5; round += 1) await pass(EVERY_MS);
  assert.deepEqual(polls.slice(3), []);
  for (let round = 0; round < 10; round += 1) await pass(EVERY_MS);
  assert.deepEqual(polls.slice(3), [null]);
  await worker.stop();
});

test('a failing poll of all accounts loses no job of an account that can be polled alone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const jobs = [{ accountId: 'a' }, { accountId: 'a' }];
  const errors: unknown[] = [];
  const claim = async (accountIds: string[] | null) => {
    await yieldToEventLoop();
    if (accountIds === null) throw new Error('a worker of Citus is down');
    return jobs.pop();
  };
  const worker = createWorker({
    slots: 1,
    everyMs: EVERY_MS,
    claim,
    run: () => yieldToEventLoop(),
    onError: (error) => errors.push(error),
  });
  worker.start();
  worker.wake('a');
  for (let round = 0; round < 10; round += 1) {
    t.mock.timers.tick(EVERY_MS);
    await yieldToEventLoop();
  }
  assert.deepEqual(jobs, []);
  assert.ok(errors.length > 0);
  await worker.stop();
});

test('an account whose poll fails loses no job of the accounts that were woken with it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const jobs = [{ accountId: 'a' }, { accountId: 'c' }];
  const claim = async (accountIds: string[] | null) => {
    await yieldToEventLoop();
    if (accountIds === null || accountIds.includes('b'))
      throw new Error('a worker of Citus is down');
    const index = jobs.findIndex(({ accountId }) => accountIds.includes(accountId));
    return index === -1 ? undefined : jobs.splice(index, 1)[0];
  };
  const worker = createWorker({
    slots: 1,
    everyMs: EVERY_MS,
    claim,
    run: () => yieldToEventLoop(),
    onError: () => undefined,
  });
  worker.start();
  for (const accountId of ['a', 'b', 'c']) worker.wake(accountId);
  for (let round = 0; round < 20; round += 1) {
    t.mock.timers.tick(EVERY_MS);
    await yieldToEventLoop();
  }
  assert.deepEqual(jobs, []);
  await worker.stop();
});
