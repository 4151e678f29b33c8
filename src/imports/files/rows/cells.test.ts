import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isScientific, readCell, splitValues } from './cells.ts';

test('the guards of exporters come off', () => {
  for (const [cell, value] of [
    ['="0110"', '0110'],
    ['="say ""hi"""', 'say "hi"'],
    ["'+64 21 555", '+64 21 555'],
    ["'=x", '=x'],
    ["'-5", '-5'],
    ["'@a", '@a'],
    ["'021", '021'],
    ["''=x", "'=x"],
    ["'tis", "'tis"],
    ["O'Neil", "O'Neil"],
    ['=1+1', '=1+1'],
    [' x ', ' x '],
  ] as const)
    assert.equal(readCell(cell), value, cell);
});

test('a cell that says that there is no value is empty', () => {
  for (const cell of [
    '',
    ' ',
    '\u00A0',
    'NULL',
    ' N/A ',
    'n/a',
    '-',
    '–',
    '#N/A',
    '#REF!',
    '\\N',
    '="NULL"',
    "'-",
  ])
    assert.equal(readCell(cell), '', cell);
  for (const cell of ['Null', 'NA', 'none', '0', '- x']) assert.equal(readCell(cell), cell);
});

test('a cell of several values is split: by ::: in all but notes, emails by ; and , too', () => {
  assert.deepEqual(splitValues('021 ::: 09', 'phone'), ['021', '09']);
  assert.deepEqual(splitValues('a@b.cd ::: e@f.gh', 'email'), ['a@b.cd', 'e@f.gh']);
  assert.deepEqual(splitValues('a@b.cd; e@f.gh', 'email'), ['a@b.cd', 'e@f.gh']);
  for (const email of ['Jo Smith <a@b.cd>', 'a@b.cd;', 'a@b.cd and e@f.gh'])
    assert.deepEqual(splitValues(email, 'email'), [email]);
  assert.deepEqual(splitValues('a ::: b', 'notes'), ['a ::: b']);
  // An expression for the blanks before ::: would take quadratic time.
  const blanks = ' '.repeat(1_000_000);
  assert.deepEqual(splitValues(`a${blanks}b ::: c`, 'phone'), [`a${blanks}b`, 'c']);
});

test('a phone in scientific notation is recognised', () => {
  for (const phone of ['2.15550E+08', '0.021555013E+09', '6,4e10'])
    assert.equal(isScientific(phone), true, phone);
  for (const phone of ['021 555', '+64 21', 'E5', '021E'])
    assert.equal(isScientific(phone), false, phone);
});
