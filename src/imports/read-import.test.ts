import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../platform/http/index.ts';
import { readImport } from './read-import.ts';

const faultsOf = (value: unknown) => {
  const read = readImport(value, 'single');
  assert.ok(read instanceof Problem);
  return read.members.errors;
};
const MISSING = [{ pointer: '/email', detail: 'email is required.' }];

test('an email that is null, empty or blank is missing', () => {
  for (const value of [{}, { email: null }, { email: '' }, { email: ' ' }])
    assert.deepEqual(faultsOf(value), MISSING);
});

test('a field with a thousand faults has one in the answer, and hides no other field', () => {
  const tags = Array.from({ length: 1_000 }, () => 0);
  const pointers = faultsOf({ email: 1, tags, unitId: 2 })?.map((fault) =>
    'pointer' in fault ? fault.pointer : '',
  );
  assert.deepEqual(pointers, ['/email', '/tags/0', '/tags/1', '/tags/2', '/unitId']);
});

test('a field of a wrong type does not hide the faults of others', () => {
  const tags = ['x'.repeat(101)];
  const wrong = { email: 5, phone: 1, buyerType: 'x', tag: '\0', tags, notes: 'fine' };
  const pointersOf = (value: object) =>
    faultsOf(value)?.map((fault) => 'pointer' in fault && fault.pointer);
  assert.deepEqual(pointersOf(wrong), ['/email', '/phone', '/tag', '/buyerType', '/tags']);
  const endless = { ...wrong, email: 'x', tags: Array(1_001).fill('x') };
  assert.deepEqual(pointersOf(endless), ['/tags', '/phone', '/tag', '/email', '/buyerType']);
});

test('a value that is not an object is a malformed body', () => {
  for (const value of [null, 1, 'x', [], true]) {
    const read = readImport(value, 'single');
    assert.ok(read instanceof Problem && read.code === 'malformed_body');
  }
});

const MEBIBYTE = 1_048_576;
const EMAIL = 'aroha@example.com';
const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
const names = Array.from({ length: 100_000 }, (_, n) => [`x${n}`, 1]);
const MARKS = '\u0301\u0316';

const largest: [what: string, value: object][] = [
  ['a text of combining marks', { email: EMAIL, tags: MARKS.repeat(MEBIBYTE / 4) }],
  ['many texts of combining marks', { email: EMAIL, tags: Array(1_000).fill(MARKS.repeat(250)) }],
  ['an email of combining marks', { email: `${MARKS.repeat(MEBIBYTE / 4)}@example.com` }],
  ['commas alone', { email: EMAIL, tags: ','.repeat(MEBIBYTE) }],
  ['labels without end', { email: EMAIL, tags: names.map(([name]) => name).join() }],
  ['numbers without end', { email: EMAIL, tags: names.map(() => 1) }],
  ['spaces', { email: EMAIL, tag: `${' '.repeat(MEBIBYTE)}x` }],
  ['a list of lists of lists', { email: EMAIL, name: nested(500_000) }],
  ['a tag that is a list of lists', { email: EMAIL, tags: [nested(500_000)] }],
  ['fields without end', { email: EMAIL, ...Object.fromEntries(names) }],
];
for (const [what, value] of largest)
  test(
    `a body of the largest size is read, and has few faults: ${what}`,
    { timeout: 5_000 },
    () => {
      const read = readImport(value, 'single');
      if (!(read instanceof Problem)) return assert.equal(what, 'fields without end');
      assert.ok(JSON.stringify(read.members.errors).length < 1_000);
    },
  );
