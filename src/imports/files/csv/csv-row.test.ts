import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRowScanner } from './csv-row.ts';

/** Returns the cells of the first row of a text, or the beginning of its fault. */
function scan(text: string, delimiter = ','): string[] | string {
  const row = createRowScanner(delimiter)(text, 0, true);
  assert.ok(row, 'a quote is never closed');
  return row.fault === null ? row.cells : row.fault;
}

test('white space beside a quote does not count, and stays in a cell without quotes', () => {
  for (const blank of [' ', '  ', '\t', '\u00A0', ' \u00A0\t', '\u3000']) {
    assert.deepEqual(scan(`a,${blank}"Smith, John"${blank}, 021 `), ['a', 'Smith, John', ' 021 ']);
    assert.deepEqual(scan(`${blank}"a"${blank}`), ['a']);
  }
  assert.deepEqual(scan('a\t"b"\t\t c', '\t'), ['a', 'b', '', ' c']);
});

test('a quote within a quoted cell is doubled, or has a backslash before it', () => {
  assert.deepEqual(scan('"He said ""hi, there"" ok",021'), ['He said "hi, there" ok', '021']);
  assert.deepEqual(scan(String.raw`"He said \"hi, there\" ok",021`), [
    'He said "hi, there" ok',
    '021',
  ]);
  assert.deepEqual(scan(String.raw`"\"hi\", she said",021`), ['"hi", she said', '021']);
  assert.deepEqual(scan(String.raw`"She said \"hi\"",021`), ['She said "hi"', '021']);
  assert.deepEqual(scan(String.raw`"as \""typed\""",021`), [String.raw`as \"typed\"`, '021']);
});

test('a cell that ends with a backslash is read when nothing else can be meant', () => {
  assert.deepEqual(scan(String.raw`"C:\dir\",021`), ['C:\\dir\\', '021']);
  assert.deepEqual(scan(String.raw`"C:\dir\","Jo",021`), ['C:\\dir\\', 'Jo', '021']);
  for (const text of [
    String.raw`"hi\", x",021`,
    String.raw`"a\", b\" c",d`,
    String.raw`"say \"",021`,
  ])
    assert.match(String(scan(text)), /^The row has a backslash before a quote/, text);
});

test('a backslash and a quote at the end of a line end the cell only when the next line begins a row', () => {
  assert.deepEqual(scan('021,"C:\\"\n022,"D:\\"\n'), ['021', 'C:\\']);
  assert.deepEqual(scan('021,"C:\\"\n022,"two\nlines"\n'), ['021', 'C:\\']);
  assert.deepEqual(scan('021,"C:\\"'), ['021', 'C:\\']);
  const torn = '021,"Doors 12\\"\nWindows 8\\" wide",Jo\n';
  assert.match(String(scan(torn)), /^The row has a backslash before a quote/);
  assert.equal(createRowScanner(',')('021,"C:\\"\n022', 0, false), null);
});

test('a quote that is neither doubled nor escaped is a character when the cell is clear', () => {
  assert.deepEqual(scan('"Jo "JJ" Smith",021'), ['Jo "JJ" Smith', '021']);
  assert.deepEqual(scan('"6\' 2" tall","Jo"'), ['6\' 2" tall', 'Jo']);
  assert.deepEqual(scan('"JJ" Smith,021'), ['"JJ" Smith', '021']);
  assert.deepEqual(scan('"Smith, John" jr,021'), ['"Smith, John" jr', '021']);
  assert.deepEqual(scan('Jo "JJ" Smith,6\' 2" tall,5" x'), [
    'Jo "JJ" Smith',
    '6\' 2" tall',
    '5" x',
  ]);
});

test('a row whose cells could be read in two ways has a fault, and ends with its line', () => {
  for (const text of [
    '"He said "hi, there" ok",021',
    '"say "hi", there",021',
    '"JJ" Smith,021 "x"',
  ])
    assert.match(
      String(scan(text)),
      /^The row has quotes in a quoted cell that are not doubled/,
      text,
    );
  for (const text of ['about "Lot, 3" please,021', '="Smith, John",021'])
    assert.match(String(scan(text)), /^The row opens a quote within a cell/, text);
  const torn = 'a,"open\n"b@b.cd","x"\nc';
  assert.equal(createRowScanner(',')(torn, 0, true)?.end, torn.length - 2);
});

test('a row is returned only when its end is certain', () => {
  const scanRow = createRowScanner(',');
  for (const text of ['', 'a', 'a,', 'a,"b', 'a,"b"', 'a,"b" ', 'a,b\r', 'a, '])
    assert.equal(scanRow(text, 0, false), null, JSON.stringify(text));
  assert.equal(scanRow('a,"b" \n', 0, false)?.end, 6);
  assert.equal(scanRow('a,"b', 0, true), null);
});

test('a row that is written by the rules of CSV is read exactly, whatever its cells hold', () => {
  const parts = ['a', '"', '\\', ',', ' ', '\n', '\\"', '",'];
  for (let n = 0; n < 20_000; n += 1) {
    const pick = (m: number) => parts[Math.floor(n / parts.length ** m) % parts.length] ?? '';
    const cells = [`${pick(0)}${pick(1)}`, `${pick(2)}${pick(3)}`, pick(4)];
    const text = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join();
    const read = scan(text);
    if (typeof read !== 'string') assert.deepEqual(read, cells, text);
    else assert.match(read, /^The row has a backslash before a quote/, text);
  }
});
