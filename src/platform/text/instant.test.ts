import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInstant } from './instant.ts';

const at = (text: string): string | null => {
  const time = parseInstant(text);
  return time === null ? null : new Date(time).toISOString();
};

test('a date-time with Z is that time', () => {
  assert.equal(at('2026-03-31T21:15:09.204Z'), '2026-03-31T21:15:09.204Z');
  assert.equal(at('2026-03-31t21:15:09z'), '2026-03-31T21:15:09.000Z');
});

test('an offset counts, in each of its forms', () => {
  for (const offset of ['+13:00', '+1300', '+13'])
    assert.equal(at(`2026-01-01T00:00:00${offset}`), '2025-12-31T11:00:00.000Z');
  assert.equal(at('2026-01-01T00:00:00-09:30'), '2026-01-01T09:30:00.000Z');
});

test('seconds may be left out', () => {
  assert.equal(at('2026-01-01T10:20Z'), '2026-01-01T10:20:00.000Z');
});

test('a fraction may have any length; digits beyond the millisecond are cut off', () => {
  assert.equal(at('2026-01-01T00:00:00.5Z'), '2026-01-01T00:00:00.500Z');
  assert.equal(at('2026-01-01T00:00:00,25Z'), '2026-01-01T00:00:00.250Z');
  assert.equal(at(`2026-01-01T00:00:00.0019${'9'.repeat(1000)}Z`), '2026-01-01T00:00:00.001Z');
});

test('February has 29 days in a leap year', () => {
  assert.equal(at('2024-02-29T00:00:00Z'), '2024-02-29T00:00:00.000Z');
  assert.equal(at('2000-02-29T00:00:00Z'), '2000-02-29T00:00:00.000Z');
});

test('the years 0 to 9999 are read', () => {
  assert.equal(at('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z');
  assert.equal(at('0000-01-01T00:00:00+23:59'), '-000001-12-31T00:01:00.000Z');
  assert.equal(at('9999-12-31T23:59:59-23:59'), '+010000-01-01T23:58:59.000Z');
});

const REFUSED = [
  ['a date alone', '2026-01-01'],
  ['no offset', '2026-01-01T00:00:00'],
  ['no date', 'T00:00:00Z'],
  ['a space for the + of an offset', '2026-01-01T00:00:00 13:00'],
  ['a space for the T', '2026-01-01 00:00:00Z'],
  ['the 30th of February', '2026-02-30T00:00:00Z'],
  ['the 29th of February of no leap year', '1900-02-29T00:00:00Z'],
  ['the 31st of April', '2026-04-31T00:00:00Z'],
  ['month 0', '2026-00-01T00:00:00Z'],
  ['month 13', '2026-13-01T00:00:00Z'],
  ['day 0', '2026-01-00T00:00:00Z'],
  ['hour 24', '2026-01-01T24:00:00Z'],
  ['minute 60', '2026-01-01T00:60:00Z'],
  ['second 60', '2026-01-01T00:00:60Z'],
  ['an offset of 24 hours', '2026-01-01T00:00:00+24:00'],
  ['an offset with minute 60', '2026-01-01T00:00:00+01:60'],
  ['a dot with no fraction', '2026-01-01T00:00:00.Z'],
  ['a number', '1767225600000'],
  ['words', 'yesterday'],
  ['white space around it', ' 2026-01-01T00:00:00Z'],
  ['a line break after it', '2026-01-01T00:00:00Z\n'],
] as const;

for (const [what, text] of REFUSED)
  test(`${what} is not a date-time`, () => assert.equal(parseInstant(text), null));
