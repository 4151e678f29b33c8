import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { apart, inPieces, paced, sharing } from './pieces.ts';

test('many are worked on in order and none is left out, however many there are', async () => {
  for (const count of [0, 1, 49, 50, 51, 1_000]) {
    const all = Array.from({ length: count }, (_, index) => index);
    const pieces = await inPieces(all, (piece) => piece, sharing);
    assert.deepEqual(pieces.flat(), all);
    assert.ok(pieces.every(({ length }) => length > 0 && length <= 50));
    assert.deepEqual(await inPieces(all, (piece) => piece), count === 0 ? [] : [all]);
  }
});

test('between two pieces all else that is ready has its turn', async () => {
  let turns = 0;
  const other = setInterval(() => (turns += 1), 0);
  // Longer than the interval: each time it is ready.
  const work = (): number => {
    keepBusy(3);
    return turns;
  };
  const seen = await paced([1, 2, 3, 4], work, sharing);
  clearInterval(other);
  assert.deepEqual(
    seen.map((each, at) => each > (seen[at - 1] ?? -1)),
    [true, true, true, true],
  );
});

test('who shares leaves all else as long between two pieces as the first took, what it waited for included', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (ms: number): Promise<void> => {
    begun.push(performance.now());
    keepBusy(ms / 2);
    await sleep(ms / 2);
    ended.push(performance.now());
  };
  await paced([10, 30, 0], work, sharing);
  for (const at of [1, 2]) {
    const tookMs = (ended[at - 1] ?? NaN) - (begun[at - 1] ?? NaN);
    // A timer counts whole milliseconds.
    assert.ok((begun[at] ?? NaN) - (ended[at - 1] ?? NaN) > tookMs - 2);
  }
});

test('what is done apart comes after a turn of all else, which then has as long again', async () => {
  keepBusy(20);
  let turns = 0;
  const other = setInterval(() => (turns += 1), 1);
  const startedMs = performance.now();
  const turnsBefore = await apart(() => {
    keepBusy(20);
    return turns;
  });
  clearInterval(other);
  assert.ok(turnsBefore > 0);
  assert.ok(turns > turnsBefore);
  assert.ok(performance.now() - startedMs > 38);
});

test('a piece that waited for long is not paid for with a rest as long', async () => {
  const startedMs = performance.now();
  await sharing(60_000);
  assert.ok(performance.now() - startedMs < 1_000);
});

test('an error of a piece ends the work', async () => {
  const begun: number[] = [];
  const work = (each: number): void => {
    begun.push(each);
    if (each === 2) throw new Error('lost');
  };
  await assert.rejects(paced([1, 2, 3], work, sharing), { message: 'lost' });
  assert.deepEqual(begun, [1, 2]);
});

function keepBusy(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}
