import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from './formats.ts';

/** The text as it is stored, or null when it does not have the format. */
function store(format: 'date' | 'date-time', text: string): string | null | undefined {
  return FORMATS[format]?.validate(text) ? FORMATS[format].toStored(text) : null;
}
const toDay = (text: string) => store('date', text);
const toInstant = (text: string) => store('date-time', text);

test('a date-time is stored in UTC with milliseconds, further digits cut off', () => {
  for (const [text, instant] of [
    ['2026-03-31T21:15:09.204Z', '2026-03-31T21:15:09.204Z'],
    ['2026-03-31T21:15:09.204999z', '2026-03-31T21:15:09.204Z'],
    ['2026-03-31t21:15:09,5Z', '2026-03-31T21:15:09.500Z'],
    ['2026-04-01T10:15+13:00', '2026-03-31T21:15:00.000Z'],
    ['2026-03-31T17:45:00-0330', '2026-03-31T21:15:00.000Z'],
    ['2026-03-31T23:15:00+02', '2026-03-31T21:15:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const)
    assert.equal(toInstant(text), instant, text);
});

test('a text is not a date-time when PostgreSQL or ISO 8601 cannot write it', () => {
  for (const text of [
    '',
    '2026-03-31',
    '2026-03-31T21:15:09',
    '2026-03-31 21:15:09Z',
    '2026-03-31T21:15:09 13:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-04-00T00:00:00Z',
    '2026-04-01T24:00:00Z',
    '2026-04-01T00:60:00Z',
    '2026-04-01T00:00:60Z',
    '2026-04-01T00:00:00+24:00',
    '2026-04-01T00:00:00+00:60',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '0000-01-01T00:00:00Z',
  ])
    assert.equal(toInstant(text), null, text);
});

test('a plain date is the instant at which it begins in UTC', () => {
  assert.equal(toDay('2028-02-29'), '2028-02-29T00:00:00.000Z');
  for (const text of ['2027-02-29', '2028-6-30', '2028-06-31', '20280630', '2028-06-30T00:00:00Z'])
    assert.equal(toDay(text), null, text);
});
