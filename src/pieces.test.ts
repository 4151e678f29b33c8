import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPieces, paced } from './pieces.ts';

test('many are worked on in order and none is left out, however many there are', async () => {
  for (const count of [0, 1, 99, 100, 101, 1_000]) {
    const all = Array.from({ length: count }, (_, index) => index);
    const pieces = await inPieces(all, (piece) => piece);
    assert.deepEqual(pieces.flat(), all);
    assert.ok(pieces.every(({ length }) => length > 0 && length <= 100));
  }
});

test('between two pieces all else that is ready has its turn', async () => {
  let turns = 0;
  const other = setInterval(() => (turns += 1), 0);
  // Longer than the interval: each time it is ready.
  const seen = await paced([1, 2, 3, 4], () => {
    const untilMs = performance.now() + 3;
    while (performance.now() < untilMs);
    return turns;
  });
  clearInterval(other);
  assert.deepEqual(
    seen.map((each, at) => each > (seen[at - 1] ?? -1)),
    [true, true, true, true],
  );
});

test('an error of a piece ends the work', async () => {
  const begun: number[] = [];
  const work = (each: number): void => {
    begun.push(each);
    if (each === 2) throw new Error('lost');
  };
  await assert.rejects(paced([1, 2, 3], work), { message: 'lost' });
  assert.deepEqual(begun, [1, 2]);
});
