import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMaps } from '../columns/column-maps.ts';
import { toColumns } from '../columns/columns.ts';
import { createRowReader, type RowContent } from './row-content.ts';

const read = (headers: string[], cells: string[]): RowContent =>
  createRowReader(toColumns(headers, toMaps([])))(cells);

test('the first filled cell of several columns is the field, and the others are kept', () => {
  const headers = ['Work Email', 'Personal Email', 'Cell Phone', 'Mobile'];
  assert.deepEqual(read(headers, ['', 'b@home.example', '021', ' ']), {
    value: { email: 'b@home.example', mobilePhone: '021' },
    extra: {},
    others: [],
  });
  const { value, others } = read(headers, ['a@work.example', 'b@home.example', '021', '022']);
  assert.deepEqual(value, { email: 'a@work.example', mobilePhone: '022' });
  assert.deepEqual(others, ['Cell Phone: 021', 'Personal Email: b@home.example']);
});

test('a cell that says the same as the field is not kept twice', () => {
  assert.deepEqual(read(['Email', 'Email 2'], ['a@b.cd', ' a@b.cd']).others, []);
});

test('the parts of two addresses are never mixed', () => {
  const headers = ['Email', 'Home Street', 'Home City', 'Business Street', 'Business Zip'];
  assert.deepEqual(read(headers, ['a@b.cd', '1 Home Rd', '', '2 Work St', '6011']), {
    value: { email: 'a@b.cd', addressLine1: '1 Home Rd' },
    extra: {},
    others: ['Business Street: 2 Work St', 'Business Zip: 6011'],
  });
  assert.deepEqual(read(headers, ['a@b.cd', '', '', '2 Work St', '6011']).value, {
    email: 'a@b.cd',
    addressLine1: '2 Work St',
    postalCode: '6011',
  });
});

test('the labels of several columns are all tags, and so are those of one cell', () => {
  assert.deepEqual(read(['Email', 'Tag'], ['a@b.cd', 'VIP,First Home']).value, {
    email: 'a@b.cd',
    tags: 'VIP,First Home',
  });
  assert.deepEqual(read(['Email', 'Tags', 'Groups'], ['a@b.cd', 'A;B', 'C']).value, {
    email: 'a@b.cd',
    tags: 'A,B,C',
  });
});
