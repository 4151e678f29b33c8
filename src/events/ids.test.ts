import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid } from '../platform/text/index.ts';
import { makeEventCursor, makeEventId, readEventCursor, readEventId } from './ids.ts';

const subject = '0196a000-0000-7000-8000-0000ffffffff';
const at = new Date('2026-03-04T05:06:07.089Z');

test('an id is a UUIDv7 from which its number and its place can be read', () => {
  for (const sequence of [1, 255, 2 ** 40 - 1])
    for (const index of [0, 1, 4095]) {
      const id = makeEventId({ at, sequence, subject, index });
      assert.ok(isUuid(id), id);
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
      assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), at.getTime());
      assert.deepEqual(readEventId(id), { sequence, index });
    }
});

test('ids of events with other subjects, times or numbers differ', () => {
  const ids = [
    makeEventId({ at, sequence: 1, subject }),
    makeEventId({ at, sequence: 2, subject }),
    makeEventId({ at: new Date(0), sequence: 1, subject }),
    makeEventId({ at, sequence: 1, subject: '0196a000-0000-7000-8000-000000000000' }),
  ];
  assert.equal(new Set(ids).size, ids.length);
});

test('a cursor has its number, and other texts have none', () => {
  assert.equal(readEventCursor(makeEventCursor(12_345)), 12_345);
  for (const text of [
    '',
    'x',
    '0',
    makeEventCursor(1).slice(1),
    Buffer.from('e-1').toString('base64'),
  ])
    assert.equal(readEventCursor(text), undefined, text);
});
