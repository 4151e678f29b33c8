import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { blocksOf } from './blocks.ts';
import { cutterOf } from './cut.ts';
import { FileError } from './faults.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The rows up to the first fault, each as its line and its text. */
async function cut(text: string, size: number, delimiter = ','): Promise<[number, string][]> {
  const rows: [number, string][] = [];
  try {
    for await (const block of blocksOf(pieces(text, size), cutterOf(delimiter)))
      for (const { line, start, end } of block.rows)
        rows.push([line, block.bytes.toString('utf8', start, end)]);
  } catch (error) {
    assert.ok(error instanceof FileError);
    const line = /^the row that begins on line (\d+) opens a quote/.exec(error.message)?.[1];
    rows.push([Number(line), 'never closed']);
  }
  return rows;
}

/** Where csv-parse sees rows, each as its line and its text; its `bytes` are exact, its `lines` are not. */
function parsed(text: string): [number, string][] {
  const options = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true };
  const record_delimiter = ['\r\n', '\n', '\r'];
  const rows: [number, string][] = [];
  let at = 0;
  const add = (end: number): void => {
    const blank = /^[\r\n]*/.exec(text.slice(at))?.[0].length ?? 0;
    const before = text.slice(0, at + blank).match(/\r\n|\n|\r/g)?.length ?? 0;
    rows.push([before + 1, text.slice(at + blank, end).replace(/(\r\n|\n|\r)$/, '')]);
    at = end;
  };
  const on_record = (record: string[], { bytes }: { bytes: number }): string[] => {
    add(bytes);
    return record;
  };
  try {
    parse(text, { ...options, record_delimiter, on_record });
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'CSV_QUOTE_NOT_CLOSED');
    add(text.length);
    const open = rows.at(-1);
    if (open !== undefined) open[1] = 'never closed';
  }
  return rows;
}

function* texts(alphabet: string, length: number): Generator<string> {
  if (length === 0) yield '';
  else
    for (const start of texts(alphabet, length - 1)) for (const end of alphabet) yield start + end;
}

test('rows are cut where csv-parse ends them, in every text of up to five characters, whole and in bytes', async () => {
  for (let length = 1; length <= 5; length += 1)
    for (const text of texts('",\n\ra', length)) {
      const expected = parsed(text);
      assert.deepEqual(await cut(text, text.length), expected, JSON.stringify(text));
      assert.deepEqual(await cut(text, 1), expected, `in bytes: ${JSON.stringify(text)}`);
    }
});

test('a quote that closes in the middle of a cell after a line end makes a row torn, on one line it does not', () => {
  const isTorn = (text: string): boolean | undefined =>
    cutterOf(',')(Buffer.from(text), 0, true)?.isTorn;
  for (const text of ['a,"open\n"b","c"\n', '"x\r"y', '"a\n",b,"c\nd"e'])
    assert.equal(isTorn(text), true, text);
  for (const text of ['"a" b,c', 'a,"x\ny"', '"x\ny",a', '"x\n""y"\r\n', '5" pipe,b', ',"a\n"'])
    assert.equal(isTorn(text), false, text);
});

test('a row of delimiters, quotes and white space alone is blank', () => {
  const isBlank = (text: string): boolean | undefined =>
    cutterOf(';')(Buffer.from(text), 0, true)?.isBlank;
  for (const text of [';;;', ' ', '"";" ";\t', '"\n";', ''])
    assert.equal(isBlank(text), true, JSON.stringify(text));
  for (const text of [';;a', ',', '""";\u00E9"']) assert.equal(isBlank(text), false, text);
});
