import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardCell, quoteCell, unguardCell } from './csv.ts';

test('the guard of a formula is taken off again, from any cell', () => {
  for (const cell of [
    '=x',
    '＝x',
    '+x',
    '＋x',
    '-x',
    '－x',
    '@x',
    '＠x',
    '\tx',
    '\rx',
    '\n=x',
    "'=x",
    "''@x",
  ]) {
    assert.equal(guardCell(cell), `'${cell}`);
    assert.equal(unguardCell(guardCell(cell)), cell);
  }
  for (const cell of ['x', "'x", "''", '', '+64 21 555', '+64-(0)9/555.01', '5'])
    assert.equal(unguardCell(guardCell(cell)), cell);
});

test('a cell is quoted when it has a delimiter, a quote, a line end, or blanks at its ends', () => {
  for (const cell of ['a,b', 'a\nb', 'a\rb', ' a', 'a '])
    assert.equal(quoteCell(cell), `"${cell}"`);
  assert.equal(quoteCell('6" x'), '"6"" x"');
  for (const cell of ['', 'a b', 'a;b', "'=x"]) assert.equal(quoteCell(cell), cell);
  assert.equal(quoteCell('a;b', ';'), '"a;b"');
});
