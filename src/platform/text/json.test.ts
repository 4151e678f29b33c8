import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInexactNumber, parseExactJson, toExactJson } from './json.ts';

const parse = (number: string) =>
  parseExactJson(`{"a\\": 1e-400":[1e-400],"b" : ${number} }`) as { b: unknown };

const INEXACT = [
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678',
  '0.10000000000000000555',
  '1e-400',
  '1E+400',
  `${'9'.repeat(400)}.5`,
];
for (const number of INEXACT)
  test(`${number.slice(0, 30)} is inexact, and is written as it was`, () => {
    const value = parse(number);
    assert.equal(isInexactNumber(value.b), true);
    assert.equal(toExactJson({ ...value, c: '"' }), `{"a\\": 1e-400":[0],"b":${number},"c":"\\""}`);
  });

const EXACT = [
  '0',
  '-0',
  '0.1',
  '1234.5',
  '849000.10',
  '1e2',
  '1.5e-7',
  '1e21',
  '0e999',
  '9007199254740992',
];
for (const number of [
  ...EXACT,
  '0.10000000000000001',
  '1000000000000000000000',
  '0.00000000000000000000',
])
  test(`${number} is exact`, () => assert.deepEqual(parse(number).b, JSON.parse(number)));

test('the error of a text that is not JSON names the position in that text', () => {
  for (const text of ['{"a":1e400e}', '{"a":1e-400,}', '{"a":01e400}', '{"a":1e-400', ''])
    assert.throws(
      () => parseExactJson(text),
      messageOf(() => JSON.parse(text)),
    );
});

function messageOf(run: () => unknown): { message: string } {
  try {
    run();
  } catch (error) {
    return { message: (error as Error).message };
  }
  throw new Error('it does not throw');
}
