import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid, newId } from './ids.ts';

test('ids are different UUIDs of version 7 that sort in the order in which they were made', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the random part of an id does not repeat', () => {
  const ends = Array.from({ length: 10_000 }, () => newId().slice(-8));
  assert.ok(new Set(ends).size > 9_950);
});

test('a UUID is read in any case and with nothing around it', () => {
  assert.equal(isUuid('019a2b3c-4d5e-7f60-8123-456789abcdef'), true);
  assert.equal(isUuid('019A2B3C-4D5E-7F60-8123-456789ABCDEF'), true);
  for (const text of [
    '',
    'x',
    '019a2b3c4d5e7f608123456789abcdef',
    '{019a2b3c-4d5e-7f60-8123-456789abcdef}',
    ' 019a2b3c-4d5e-7f60-8123-456789abcdef',
    '019a2b3c-4d5e-7f60-8123-456789abcdef\n',
    '019a2b3c-4d5e-7f60-8123-456789abcdeg',
  ])
    assert.equal(isUuid(text), false, JSON.stringify(text));
});
