import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryLimiter } from './memory-limiter.ts';

function createLimiter(limit: number) {
  // Added to this time, a minute is a little more than a minute in floating point.
  let nowMs = 10_519.816963062323;
  const { take } = createMemoryLimiter({ name: 'imports', limit }, () => nowMs);
  return { take, pass: (seconds: number) => void (nowMs += seconds * 1_000) };
}

const REFUSED = { isAllowed: false, left: 0 };

test('a quota begins anew a minute after the first request', async () => {
  const { take, pass } = createLimiter(3);
  assert.deepEqual(await take('a', 1), { isAllowed: true, left: 2, resetMs: 60_000 });
  pass(20);
  assert.deepEqual(await take('a', 1), { isAllowed: true, left: 1, resetMs: 40_000 });
  assert.deepEqual(await take('a', 1), { isAllowed: true, left: 0, resetMs: 40_000 });
  assert.deepEqual(await take('a', 1), { ...REFUSED, resetMs: 40_000 });
  pass(40);
  assert.deepEqual(await take('a', 1), { isAllowed: true, left: 2, resetMs: 60_000 });
});

test('a refused request counts nothing, and no other client pays for it', async () => {
  const { take, pass } = createLimiter(2);
  await take('a', 2);
  assert.deepEqual(await take('a', 50), { ...REFUSED, resetMs: 60_000 });
  assert.equal((await take('b', 1)).isAllowed, true);
  pass(60);
  assert.equal((await take('a', 1)).left, 1);
});

for (const { quota, first, amount, minutes } of [
  { quota: 100, first: 99, amount: 1, minutes: 1 },
  { quota: 100, first: 99, amount: 2, minutes: 2 },
  { quota: 100, first: 99, amount: 1_000, minutes: 11 },
  { quota: 1, first: 0, amount: 3, minutes: 3 },
])
  test(`with ${first} taken of ${quota} a minute, ${amount} more are paid off in ${minutes} min`, async () => {
    const { take, pass } = createLimiter(quota);
    if (first > 0) await take('a', first);
    const resetMs = minutes * 60_000;
    assert.deepEqual(await take('a', amount), { isAllowed: true, left: 0, resetMs });
    pass(minutes * 60 - 10);
    assert.deepEqual(await take('a', 1), { ...REFUSED, resetMs: 10_000 });
    pass(10);
    assert.deepEqual(await take('a', 1), { isAllowed: true, left: quota - 1, resetMs: 60_000 });
  });

test('a batch is not refused for the one import that it took on arrival', async () => {
  const { take } = createLimiter(1);
  await take('a', 1);
  assert.deepEqual(await take('a', 4, 1), { isAllowed: true, left: 0, resetMs: 300_000 });
  assert.deepEqual(await take('a', 4, 1), { ...REFUSED, resetMs: 300_000 });
});

test('the least recent of many clients are evicted', async () => {
  const { take } = createLimiter(1);
  for (let n = 0; n < 21_000; n += 1) await take(`client ${n}`, 1);
  assert.equal((await take('client 20999', 1)).isAllowed, false);
  assert.equal((await take('client 0', 1)).isAllowed, true);
});
