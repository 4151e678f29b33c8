import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem, type RawQuery } from '../platform/http/index.ts';
import { toFilterKeys, parseStocklistQuery } from './rules.ts';

const NO_FILTERS = { region: null, city: null, suburb: null, status: null, updatedSince: null };

function faultsOf(query: RawQuery): string[] {
  try {
    parseStocklistQuery(query);
  } catch (error) {
    assert(error instanceof Problem);
    assert.equal(error.code, 'invalid_request');
    return (error.members.errors ?? []).map((fault) =>
      'parameter' in fault ? fault.parameter : '',
    );
  }
  return [];
}

const keysOf = (filters: object) => toFilterKeys({ ...NO_FILTERS, ...filters });

test('without parameters it is the first page of 20, unfiltered', () => {
  assert.deepEqual(parseStocklistQuery({}), {
    page: 1,
    limit: 20,
    filters: NO_FILTERS,
    updatedSinceMs: null,
    include: [],
    cursor: null,
  });
});

test('an empty parameter counts as not supplied', () => {
  const empty = { page: '', limit: '', region: '', city: '', suburb: '', status: '' };
  assert.deepEqual(parseStocklistQuery({ ...empty, updated_since: '' }), parseStocklistQuery({}));
});

test('a limit above 100 is 100, however large', () => {
  for (const limit of ['101', '500', '4294967297', '9'.repeat(400)])
    assert.equal(parseStocklistQuery({ limit }).limit, 100);
});

test('a limit up to 100 is as it was sent', () => {
  for (const limit of [1, 7, 100])
    assert.equal(parseStocklistQuery({ limit: String(limit) }).limit, limit);
});

test('a page up to 2^31 is taken, one beyond is refused', () => {
  assert.equal(parseStocklistQuery({ page: '2147483648' }).page, 2 ** 31);
  assert.deepEqual(faultsOf({ page: '2147483649' }), ['page']);
  assert.deepEqual(faultsOf({ page: '9'.repeat(400) }), ['page']);
});

const NO_COUNTS = ['0', '00', '-1', '1.5', '1.0', '0x10', '1e2', '+1', ' 1', '1 ', 'one', 'NaN'];
const NO_DIGITS = ['١', '１', '1\0', '1,000', '1_0', 'Infinity', 'true', '[1]', '\n1'];

for (const value of [...NO_COUNTS, ...NO_DIGITS])
  test(`${JSON.stringify(value)} is neither a page nor a limit`, () => {
    assert.deepEqual(faultsOf({ page: value, limit: value }), ['page', 'limit']);
  });

test('a fault says what would be right', () => {
  const message =
    'limit must be a whole number of at least 1, written in digits only. updated_since must be an ISO 8601 ' +
    'date-time with Z or an offset, such as 2026-03-31T21:15:09.204Z; write a + as %2B.';
  assert.throws(() => parseStocklistQuery({ limit: '0', updated_since: 'yesterday' }), { message });
});

test('a repeated parameter is refused, even twice the same or empty', () => {
  const names = ['page', 'limit', 'region', 'city', 'suburb', 'status', 'updated_since'];
  for (const name of names) {
    assert.deepEqual(faultsOf({ [name]: ['1', '1'] }), [name]);
    assert.deepEqual(faultsOf({ [name]: ['', ''] }), [name]);
  }
});

test('an updated_since that is not a date-time is refused', () => {
  assert.deepEqual(faultsOf({ updated_since: '2026-01-01' }), ['updated_since']);
});

test('updated_since is read as a time and echoed as it was sent', () => {
  const sent = '2026-01-01T00:00:00 13:00';
  const { filters, updatedSinceMs } = parseStocklistQuery({ updated_since: sent });
  assert.equal(filters.updatedSince, sent);
  assert.equal(updatedSinceMs, Date.UTC(2025, 11, 31, 11));
});

test('every fault is named, not the first alone', () => {
  const query = { page: '0', limit: 'x', city: ['a', 'b'], updated_since: 'now' };
  assert.deepEqual(faultsOf(query).toSorted(), ['city', 'limit', 'page', 'updated_since']);
});

test('unknown parameters are ignored, repeated ones are refused', () => {
  const query = { offset: '5', 'page[]': '2', Page: '0', updatedSince: 'x' };
  assert.deepEqual(parseStocklistQuery(query), parseStocklistQuery({}));
  assert.deepEqual(faultsOf({ 'page[]': ['2', '3'] }), ['page[]']);
});

test('filters are echoed as they were sent', () => {
  const sent = { region: ' NORTHLAND', city: 'Whanga\u0304rei', suburb: '%', status: 'available' };
  assert.deepEqual(parseStocklistQuery(sent).filters, { ...sent, updatedSince: null });
});

test('names are compared without regard to case, marks and runs of spaces', () => {
  const key = keysOf({ city: 'whangarei heads' }).city;
  for (const city of ['Whangārei Heads', 'WHANGA\u0304REI  HEADS', ' whangarei\theads '])
    assert.equal(keysOf({ city }).city, key);
});

test('a status is found without regard to case and spaces', () => {
  assert.equal(keysOf({ status: 'coming  SOON' }).status, 'Coming Soon');
});

test('a status that does not exist stays one that no project has', () => {
  assert.equal(keysOf({ status: 'Gone' }).status, 'gone');
});

test('any text at all becomes a key that PostgreSQL can hold', () => {
  for (const text of [
    '\0',
    '\uD800',
    'a'.repeat(10_000),
    "'; drop table projects; --",
    '\u{10FFFF}',
  ]) {
    const { region, status } = keysOf({ region: text, status: text });
    for (const key of [region, status]) assert(key?.isWellFormed() && !key.includes('\0'));
  }
});
