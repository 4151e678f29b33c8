import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../http/index.ts';
import { readIdempotencyKey } from './key.ts';

const LONG = 'x'.repeat(255);

const keys: [string, string][] = [
  ['abc', 'abc'],
  ['8e03978e-40d5-43e8-bc93-6894a57f9324', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['"abc"', 'abc'],
  ['"a b"', 'a b'],
  ['a b', 'a b'],
  [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
  [String.raw`a\"b`, String.raw`a\"b`],
  ['"', '"'],
  ['"abc', '"abc'],
  ['abc"', 'abc"'],
  ['a"b', 'a"b'],
  ['"a"b"', '"a"b"'],
  [String.raw`"abc\"`, String.raw`"abc\"`],
  ['0', '0'],
  ['~!@#$%^&*()', '~!@#$%^&*()'],
  [LONG, LONG],
  [`"${LONG}"`, LONG],
];
for (const [header, key] of keys)
  test(`the header ${header.slice(0, 40)} gives the key ${key.slice(0, 40)}`, () => {
    assert.equal(readIdempotencyKey(header), key);
  });

test('a request without the header has no key', () => {
  assert.equal(readIdempotencyKey(undefined), null);
});

test('a key that is empty, blank, too long or not ASCII is refused', () => {
  const wrong = [
    '',
    '""',
    ' ',
    '"  "',
    `${LONG}x`,
    `"${LONG}x"`,
    'é',
    'a\u0000',
    'a\tb',
    'a\u007f',
  ];
  for (const header of wrong)
    assert.throws(
      () => readIdempotencyKey(header),
      (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual(
          [error.code, error.members.errors?.map((fault) => 'header' in fault && fault.header)],
          ['invalid_request', ['Idempotency-Key']],
        );
        return true;
      },
      JSON.stringify(header.slice(0, 20)),
    );
});
