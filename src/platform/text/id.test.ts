import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newId } from './id.ts';

test('ids are UUIDs of version 7, each another, in the order in which they were made', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the random part of an id does not come again', () => {
  const ends = Array.from({ length: 10_000 }, () => newId().slice(-8));
  assert.ok(new Set(ends).size > 9_950);
});

test('an id takes little more memory than its 36 characters', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const ids = Array.from({ length: 50_000 }, newId);
  const bytes = (used() - before) / ids.length;
  assert.ok(bytes < 150, `${bytes} bytes`);
});
