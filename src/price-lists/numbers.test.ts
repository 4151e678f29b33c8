import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNumber } from './numbers.ts';

const read: [text: string, number: number | null][] = [
  ['849000', 849_000],
  ['$1,250,000.00', 1_250_000],
  ['NZ$ 1 250 000', 1_250_000],
  ['NZ$ 1\u00A0250\u00A0000', 1_250_000],
  ['NZD 1,250,000', 1_250_000],
  ['1,250,000 NZD', 1_250_000],
  ['€ 1.250.000,50', 1_250_000.5],
  ["CHF 1'250'000.50", 1_250_000.5],
  ['1,250', 1_250],
  ['74.5', 74.5],
  ['74,5', 74.5],
  ['74.125', 74.125],
  ['0', 0],
  [' 2 ', 2],
  ['-5', -5],
  ['−5', -5],
  ['POA', null],
  ['$', null],
  ['from $800,000', null],
  ['800-900', null],
  ['1,25,000', null],
  ['2 3', null],
  ['12 50', null],
  ['0,125', null],
  ['1.2.3,4,5', null],
  ['8.49E+05', null],
  ['12 May', null],
  ['50%', null],
  ['', null],
];
for (const [text, number] of read)
  test(`"${text}" is ${number ?? 'no number'}`, () => {
    assert.equal(parseNumber(text, false), number);
  });

test('a number that can mean two in a file with decimal commas is not read', () => {
  assert.equal(parseNumber('849.000', true), null);
  assert.equal(parseNumber('74,125', true), null);
  assert.equal(parseNumber('849.000,00', true), 849_000);
  assert.equal(parseNumber('1.849.000', true), 1_849_000);
  assert.equal(parseNumber('74,5', true), 74.5);
});

test('a long text is read in a short time', () => {
  assert.equal(parseNumber(`1${' 1'.repeat(200_000)}x`, false), null);
});
