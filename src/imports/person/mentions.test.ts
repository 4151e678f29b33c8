import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMentions } from './mentions.ts';

const EMAIL = 'ana@example.com';

const MENTIONS = [
  '{"email":"ana@example.com"}',
  '{"email":"ANA@Example.com;second@example.com"}',
  '{"email":["ana@example.com"]}',
  '{"Email":"ana@example.com"}',
  '{"email":" <ana@example.com> x"}',
  '{"email":"mailto:ana@example.com?subject=Hi"}',
  String.raw`{"email":"first@example.com\nana@example.com"}`,
  String.raw`{"email":"\u0061na\u0040example.com"}`,
  String.raw`{"email":"ana@example.com\/second@example.com"}`,
  '{"notes":"Write to ana@example.com. She reads it."}',
  '{"notes":"?email=ana@example.com&x=1"}',
  '{"email":"ana\u200B@example.com"}',
  '"Ana";\'ana@example.com\';021',
  `{"notes":"${'x'.repeat(2_000)}|ana@example.com"}`,
];
for (const payload of MENTIONS)
  test(`${payload.slice(0, 60)} has the email`, () => {
    assert.deepEqual(findMentions(payload, [EMAIL, 'other@example.com']), [EMAIL]);
  });

const OTHERS = [
  '{"email":"joana@example.com"}',
  '{"email":"jo.ana@example.com"}',
  '{"email":"jo+ana@example.com"}',
  '{"email":"āana@example.com"}',
  '{"email":"ana@example.com.au"}',
  '{"email":"ana@example.community"}',
  '{"email":"ana@example.com-pany.nz"}',
  '{"email":"ana"}',
  '',
];
for (const payload of OTHERS)
  test(`${payload} has another email`, () => {
    assert.deepEqual(findMentions(payload, [EMAIL]), []);
  });

test('letters that fold alike, and both forms of a domain, are one email', () => {
  assert.equal(findMentions('{"email":"STRASSE@MĀORI.nz,"}', ['strasse@māori.nz']).length, 1);
  assert.equal(findMentions('{"email":"strasse@xn--mori-qsa.nz"}', ['strasse@māori.nz']).length, 1);
  assert.equal(findMentions('{"email":"zoe\u0308@example.com"}', ['zoë@example.com']).length, 1);
});

test('a megabyte of marks, signs or escapes has no email', () => {
  for (const text of ['\u0301', '@', 'a@', String.raw`\u0061`, 'ana@example.co'])
    assert.deepEqual(findMentions(text.repeat(1_000_000 / text.length), [EMAIL]), []);
});
