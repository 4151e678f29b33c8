import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountFileError } from './faults.ts';
import { parseJson } from './json.ts';

function detailOf(text: string): string | undefined {
  try {
    parseJson(text);
  } catch (error) {
    assert.ok(error instanceof AccountFileError);
    assert.equal(error.faults[0]?.pointer, '');
    return error.faults[0]?.detail;
  }
  return undefined;
}

test('a JSON text is parsed, with a byte order mark too', () => {
  assert.deepEqual(parseJson('\uFEFF{"a": [1.5e3, "\\u00e9\\n", true, null, {}, []]}\n'), {
    a: [1500, 'é\n', true, null, {}, []],
  });
});

test('a text that is not JSON is refused with the line and the column of the first wrong character', () => {
  for (const [text, line, column] of [
    ['x', 1, 1],
    ['{"a": 1,}', 1, 9],
    ['{"a": 1\n "b": 2}', 2, 2],
    ['{"a" 1}', 1, 6],
    ['{a: 1}', 1, 2],
    ['[1,\n2,\n]', 3, 1],
    ['[1 2]', 1, 4],
    ['[1}', 1, 3],
    ['{"a": tru}', 1, 10],
    ['{"a": 01}', 1, 8],
    ['{"a": 1.}', 1, 9],
    ['{"a": "x\ny"}', 1, 9],
    ['{"a": "\\x"}', 1, 9],
    ["{'a': 1}", 1, 2],
    ['{} {}', 1, 4],
    ['{"a": 1}]', 1, 9],
    ['[NaN]', 1, 2],
  ] as const)
    assert.equal(detailOf(text), `is not valid JSON: line ${line}, column ${column}.`, text);
});

test('a text that ends too early is refused as such, with its end', () => {
  assert.equal(detailOf('{"a": [1,\n2'), 'ends too early: line 2, column 2.');
  assert.equal(detailOf('{"a":'), 'ends too early: line 1, column 6.');
  assert.equal(detailOf(' \n'), 'is empty; it must be a JSON object.');
});
