import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../http/problems.ts';
import { readImport } from './request.ts';

const faultsOf = (value: unknown) => {
  const read = readImport(value);
  assert.ok(read instanceof Problem);
  return read.errors;
};
const MISSING = [{ pointer: '/email', detail: 'email is required.' }];

test('an email that is null, empty or blank is one that is missing', () => {
  for (const value of [{}, { email: null }, { email: '' }, { email: ' ' }])
    assert.deepEqual(faultsOf(value), MISSING);
});

test('a field that is wrong a thousand times over does not fill the answer, and hides no other', () => {
  const tags = Array.from({ length: 1_000 }, () => 0);
  const pointers = faultsOf({ email: 1, tags, unitId: 2 })?.map((fault) =>
    'pointer' in fault ? fault.pointer : '',
  );
  assert.deepEqual(pointers, ['/email', '/tags/0', '/tags/1', '/tags/2', '/unitId']);
});

test('what is no object is refused as such', () => {
  for (const value of [null, 1, 'x', [], true]) {
    const read = readImport(value);
    assert.ok(read instanceof Problem && read.code === 'malformed_body');
  }
});
