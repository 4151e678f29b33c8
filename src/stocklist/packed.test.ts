import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countAfter, entriesBetween, withChanges } from './packed.ts';

function pack(entries: [id: string, updatedAtMs: number][]): Buffer {
  return Buffer.concat(
    entries.map(([id, updatedAtMs]) => {
      const entry = Buffer.alloc(24);
      entry.write(id.replaceAll('-', ''), 'hex');
      entry.writeBigInt64BE(BigInt(updatedAtMs - Date.UTC(2000, 0, 1)) * 1000n, 16);
      return entry;
    }),
  );
}

const id = (n: number) => `019d3a5e-6c00-7a41-8f0e-${String(n).padStart(12, '0')}`;
const packed = pack([
  [id(4), 1_790_000_000_004],
  [id(3), 1_790_000_000_003],
  [id(2), 1000],
  [id(1), -1],
]);

test('entries are read as they were packed', () => {
  assert.deepEqual(entriesBetween(packed, 1, 4), [
    { id: id(3), updatedAtMs: 1_790_000_000_003 },
    { id: id(2), updatedAtMs: 1000 },
    { id: id(1), updatedAtMs: -1 },
  ]);
});

test('a range past the end is empty', () => {
  assert.deepEqual(entriesBetween(packed, 4, 4), []);
  assert.deepEqual(entriesBetween(packed, 2 ** 31 * 100, 4), []);
});

test('without a time all entries count', () => {
  assert.equal(countAfter(packed, null), 4);
  assert.equal(countAfter(Buffer.alloc(0), null), 0);
});

test('an entry counts when it changed after the time, not at it', () => {
  const counts = [-2, -1, 999, 1000, 1_790_000_000_002, 1_790_000_000_003, 1_790_000_000_004];
  assert.deepEqual(
    counts.map((timeMs) => countAfter(packed, timeMs)),
    [4, 3, 3, 2, 2, 1, 0],
  );
  assert.equal(countAfter(Buffer.alloc(0), 0), 0);
});

test('what changed is first, in its order, and is nowhere else', () => {
  const changed = [
    { id: id(2), updatedAtMs: 1_790_000_000_007, isChosen: true },
    { id: id(4), updatedAtMs: 1_790_000_000_006, isChosen: false },
    { id: id(5), updatedAtMs: 1_790_000_000_005, isChosen: true },
    { id: id(6), updatedAtMs: 1_790_000_000_005, isChosen: false },
  ];
  assert.deepEqual(entriesBetween(withChanges(packed, changed), 0, 4), [
    { id: id(2), updatedAtMs: 1_790_000_000_007 },
    { id: id(5), updatedAtMs: 1_790_000_000_005 },
    { id: id(3), updatedAtMs: 1_790_000_000_003 },
    { id: id(1), updatedAtMs: -1 },
  ]);
  assert.deepEqual(withChanges(packed, []), packed);
});

test('an id is not found where two entries look like it', () => {
  // The end of one id, its time and the start of the next id, read as one id.
  const across = packed.subarray(8, 24).toString('hex');
  const changed = { id: across, updatedAtMs: 1_790_000_000_005, isChosen: false };
  assert.deepEqual(withChanges(packed, [changed]), packed);
});
