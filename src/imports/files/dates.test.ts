import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDate } from './dates.ts';

const LATEST_MS = Date.parse('2026-06-01T00:00:00Z');

/** The instants of a text in the orders day, month, year first; null: none. */
function read(text: string): (string | null)[] {
  const reading = readDate(text, LATEST_MS);
  return [reading.dmy, reading.mdy, reading.ymd].map((ms) =>
    ms === undefined ? null : new Date(ms).toISOString().replace('T00:00:00.000Z', ''),
  );
}

test('a date that is clear is the same in each order', () => {
  for (const [text, date] of [
    ['2026-03-24', '2026-03-24'],
    ['2026/3/24', '2026-03-24'],
    ['24 March 2026', '2026-03-24'],
    ['24-Mar-26', '2026-03-24'],
    ['Tue, 24th March, 2026', '2026-03-24'],
    ['Mar 24, 2026', '2026-03-24'],
    ['sept 1 2025', '2025-09-01'],
    ['46105', '2026-03-24'],
    ['20000', '1954-10-03'],
    ['46105.5', '2026-03-24T12:00:00.000Z'],
    ['2026-03-24T09:15:00.5+13:00', '2026-03-23T20:15:00.500Z'],
    ['2026-03-24 09:15:00 +0000', '2026-03-24T09:15:00.000Z'],
    ['24 Mar 2026 at 12:05 a.m.', '2026-03-24T00:05:00.000Z'],
  ] as const)
    assert.deepEqual(read(text), [date, date, date], text);
});

test('a date of three numbers depends on the order', () => {
  assert.deepEqual(read('03/04/2026'), ['2026-04-03', '2026-03-04', null]);
  assert.deepEqual(read('24.3.2026'), ['2026-03-24', null, null]);
  assert.deepEqual(read('3/24/2026, 9:15 PM'), [null, '2026-03-24T21:15:00.000Z', null]);
  assert.deepEqual(read('01/02/26'), ['2026-02-01', '2026-01-02', '2001-02-26']);
  assert.deepEqual(read('31/12/99'), ['1999-12-31', null, null]);
  assert.deepEqual(read('99-12-31'), [null, null, '1999-12-31']);
});

test('a text that is not a date in the past is not read', () => {
  const texts = [
    '',
    'soon',
    '2026-02-29',
    '32/01/2026',
    '367/1/2024',
    '1/2/3',
    '12',
    '19999',
    '80001',
    '123456',
  ];
  const others = [
    '2026-03-24 25:00',
    '2026-03-24 13:00 pm',
    '24/03/2026x',
    '1 foo 2026',
    '2027-01-01',
  ];
  for (const text of [...texts, ...others]) assert.deepEqual(read(text), [null, null, null], text);
});
