import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Counter, Quota, Taken } from '../src/platform/http/index.ts';
import { createMemoryCounter } from '../src/platform/http/limits/memory.ts';
import { openRedisCounters } from '../src/platform/http/limits/redis.ts';
import { startRedis, withoutRedis, type Redis } from './redis.ts';
import { until } from './until.ts';

/** A counter whose time passes when the test says so. */
interface Counting {
  take: (client: string, amount: number, held?: number) => Promise<Taken>;
  pass: (seconds: number) => Promise<void>;
  /** How much time can have passed since it was started that the test has not said. */
  unsaidMs: () => number;
}

// A minute more than that is, in floating point, a little more than a minute.
const START_MS = 10_519.816963062323;

const importsOf = (perMinute: number): Quota => ({ name: 'imports', perMinute });

async function inMemory(perMinute: number): Promise<Counting> {
  let nowMs = START_MS;
  const counter = createMemoryCounter(importsOf(perMinute), () => nowMs);
  return {
    take: async (...taking) => counter.take(...taking),
    pass: async (seconds) => void (nowMs += seconds * 1_000),
    unsaidMs: () => 0,
  };
}

/** A process that counts in a Redis, when it has connected to it. */
async function connected(
  t: TestContext,
  redis: Redis,
  quota: Quota,
  now: () => number,
): Promise<Counting['take']> {
  const lost: unknown[] = [];
  const listener = { onLost: (error: unknown) => void lost.push(error), onBack: () => undefined };
  const { counterOf, close } = openRedisCounters(redis.url, listener, now);
  t.after(close);
  const counter: Counter = counterOf(quota);
  const ranBefore = await redis.scriptsRun();
  await until(async () => {
    await counter.take('nobody', 1);
    return (await redis.scriptsRun()) > ranBefore;
  });
  return async (...taking) => {
    const taken = await counter.take(...taking);
    assert.deepEqual(lost, []);
    return taken;
  };
}

async function inRedis(perMinute: number, t: TestContext) {
  const redis = await startRedis(t);
  let nowMs = START_MS;
  const connect = () => connected(t, redis, importsOf(perMinute), () => nowMs);
  const take = await connect();
  const startedMs = performance.now();
  const pass = async (seconds: number): Promise<void> => {
    nowMs += seconds * 1_000;
    await redis.pass(seconds);
  };
  // Redis tells whole milliseconds.
  return { redis, connect, take, pass, unsaidMs: () => performance.now() - startedMs + 1 };
}

/** Holds what was taken against what should have been, but for the time that passed meanwhile. */
async function assertTaken(
  { unsaidMs }: Counting,
  taken: Promise<Taken>,
  expected: Taken,
): Promise<void> {
  const { resetMs, ...rest } = await taken;
  const { resetMs: resetAtMostMs, ...expectedRest } = expected;
  assert.deepEqual(rest, expectedRest);
  const lateMs = resetAtMostMs - resetMs;
  assert.ok(lateMs >= 0 && lateMs <= unsaidMs(), `${resetMs} ms instead of ${resetAtMostMs}`);
}

const ALLOWED = { isAllowed: true };
const REFUSED = { isAllowed: false, left: 0 };

for (const { place, start, skip } of [
  { place: 'memory', start: inMemory, skip: false },
  { place: 'Redis', start: inRedis, skip: withoutRedis },
])
  describe(`counted in ${place}`, { skip }, () => {
    test('a quota is taken bit by bit, and is whole again a minute after the first', async (t) => {
      const counting = await start(3, t);
      const { take, pass } = counting;
      const assertNext = (expected: Taken) => assertTaken(counting, take('a', 1), expected);
      await assertNext({ ...ALLOWED, left: 2, resetMs: 60_000 });
      await pass(20);
      await assertNext({ ...ALLOWED, left: 1, resetMs: 40_000 });
      await assertNext({ ...ALLOWED, left: 0, resetMs: 40_000 });
      await pass(30);
      await assertNext({ ...REFUSED, resetMs: 10_000 });
      await pass(10);
      await assertNext({ ...ALLOWED, left: 2, resetMs: 60_000 });
    });

    test('a client takes nothing of another’s', async (t) => {
      const { take } = await start(1, t);
      await take('a', 1);
      assert.equal((await take('a', 1)).isAllowed, false);
      assert.equal((await take('b', 1)).isAllowed, true);
    });

    test('what is refused takes nothing', async (t) => {
      const { take, pass } = await start(2, t);
      await take('a', 2);
      for (let n = 0; n < 100; n += 1) assert.equal((await take('a', 50, 0)).isAllowed, false);
      await pass(60);
      assert.equal((await take('a', 1)).left, 1);
    });

    for (const { quota, first, amount, minutes } of [
      { quota: 100, first: 99, amount: 1, minutes: 1 },
      { quota: 100, first: 99, amount: 2, minutes: 2 },
      { quota: 100, first: 99, amount: 1_000, minutes: 11 },
      { quota: 1, first: 0, amount: 3, minutes: 3 },
    ])
      test(`with ${first} taken of ${quota} a minute, ${amount} more are paid off after ${minutes} min`, async (t) => {
        const counting = await start(quota, t);
        const { take, pass } = counting;
        if (first > 0) await take('a', first);
        const resetMs = minutes * 60_000;
        await assertTaken(counting, take('a', amount), { ...ALLOWED, left: 0, resetMs });
        await pass(minutes * 60 - 10);
        await assertTaken(counting, take('a', 1), { ...REFUSED, resetMs: 10_000 });
        await pass(10);
        const whole = { ...ALLOWED, left: quota - 1, resetMs: 60_000 };
        await assertTaken(counting, take('a', 1), whole);
      });

    for (const quota of [1, 2])
      test(`of ${quota} a minute a request is not refused for what it has taken itself, but for what others have`, async (t) => {
        const counting = await start(quota, t);
        const { take, pass } = counting;
        await take('a', quota);
        const taken = { ...ALLOWED, left: 0, resetMs: 5 * 60_000 };
        await assertTaken(counting, take('a', 4 * quota, 1), taken);
        await assertTaken(counting, take('a', 1, 1), { ...taken, isAllowed: false });
        await pass(4 * 60);
        await assertTaken(counting, take('a', 1), { ...REFUSED, resetMs: 60_000 });
      });
  });

test('of many clients those that came longest ago are forgotten in memory', async () => {
  const { take } = await inMemory(1);
  for (let n = 0; n < 100_000; n += 1) await take(`client ${n}`, 1);
  assert.equal((await take('client 99999', 1)).isAllowed, false);
  assert.equal((await take('client 0', 1)).isAllowed, true);
});

test(
  'who has nothing left is refused without asking Redis, after a batch until that is paid off',
  { skip: withoutRedis },
  async (t) => {
    const counting = await inRedis(1, t);
    const { redis, connect, take, pass } = counting;
    const other = await connect();
    await take('a', 1);
    await take('a', 4, 1);
    const ranBefore = await redis.scriptsRun();
    for (const _ of [1, 2, 3])
      await assertTaken(counting, take('a', 1), { ...REFUSED, resetMs: 5 * 60_000 });
    assert.equal(await redis.scriptsRun(), ranBefore);
    // It learns by asking.
    for (const _ of [1, 2, 3])
      await assertTaken(counting, other('a', 1), { ...REFUSED, resetMs: 5 * 60_000 });
    assert.equal(await redis.scriptsRun(), ranBefore + 1);
    await pass(5 * 60);
    assert.deepEqual(
      [(await other('a', 1)).isAllowed, (await take('a', 1)).isAllowed],
      [true, false],
    );
  },
);
