import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quota, Taken } from './counter.ts';
import { createMemoryCounter } from './memory.ts';

/** A counter whose time passes when the test says so. */
function counting(perMinute: number) {
  // A minute more than that is, in floating point, a little more than a minute.
  let nowMs = 10_519.816963062323;
  const quota: Quota = { name: 'imports', perMinute };
  const counter = createMemoryCounter(quota, () => nowMs);
  return {
    ...counter,
    take: (client: string, amount: number, held?: number) =>
      counter.take(client, amount, held) as Taken,
    pass: (seconds: number) => void (nowMs += seconds * 1_000),
  };
}

test('a quota is taken bit by bit, and is whole again a minute after the first', () => {
  const { take, pass } = counting(3);
  assert.deepEqual(take('a', 1), { isAllowed: true, left: 2, resetMs: 60_000 });
  pass(20);
  assert.deepEqual(take('a', 1), { isAllowed: true, left: 1, resetMs: 40_000 });
  assert.deepEqual(take('a', 1), { isAllowed: true, left: 0, resetMs: 40_000 });
  pass(39.5);
  assert.deepEqual(take('a', 1), { isAllowed: false, left: 0, resetMs: 500 });
  pass(0.5);
  assert.deepEqual(take('a', 1), { isAllowed: true, left: 2, resetMs: 60_000 });
});

test('a client takes nothing of another’s', () => {
  const { take } = counting(1);
  take('a', 1);
  assert.deepEqual([take('a', 1).isAllowed, take('b', 1).isAllowed], [false, true]);
});

test('what is refused takes nothing', () => {
  const { take, pass } = counting(2);
  take('a', 2);
  for (let n = 0; n < 100; n += 1) assert.equal(take('a', 50).isAllowed, false);
  pass(60);
  assert.equal(take('a', 1).left, 1);
});

test('more than the quota may be taken while anything is left, and is paid off minute by minute', () => {
  const { take, pass } = counting(100);
  take('a', 99);
  assert.deepEqual(take('a', 1_000), { isAllowed: true, left: 0, resetMs: 11 * 60_000 });
  pass(11 * 60 - 1);
  assert.equal(take('a', 1).isAllowed, false);
  pass(1);
  assert.deepEqual(take('a', 1), { isAllowed: true, left: 99, resetMs: 60_000 });
});

test('a request is not refused for what it has taken itself, but for what others have', () => {
  const { take } = counting(1);
  take('a', 1);
  assert.equal(take('a', 1, 1).isAllowed, true);
  assert.equal(take('a', 1, 1).isAllowed, false);
});

test('of many clients those that came longest ago are forgotten', () => {
  const { take } = counting(1);
  for (let n = 0; n < 100_000; n += 1) take(`client ${n}`, 1);
  assert.equal(take('client 99999', 1).isAllowed, false);
  assert.equal(take('client 0', 1).isAllowed, true);
});
