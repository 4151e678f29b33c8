import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEmailKey, isEmail } from './emails.ts';

const decomposed = (text: string): string => text.normalize('NFD');

test('emails are one without regard to case, composition and the spaces around them', () => {
  const same = ['Zoë@Example.COM', ' zoë@example.com\n', decomposed('ZOË@example.com')];
  for (const email of same) assert.equal(toEmailKey(email), 'zoë@example.com');
  assert.notEqual(toEmailKey('zoe@example.com'), toEmailKey('zoë@example.com'));
  assert.notEqual(toEmailKey('a.b@example.com'), toEmailKey('ab@example.com'));
});

test('the key of an email is its own key', () => {
  for (const text of ['İ', 'ΟΔΟΣ', 'ẞ', 'Å', 'ǅ', decomposed('Ṩ')])
    assert.equal(toEmailKey(toEmailKey(text)), toEmailKey(text), text);
});

test('an email has one @, a local part, a domain with a dot, no space and no control character', () => {
  const emails = [
    'a@b.nz',
    'a+b.c-d_e@sub.example.co.nz',
    "o'brien@example.com",
    '.dot@example.com',
    'ngāti@whānau.māori.nz',
    '李@例え.jp',
    '"quoted"@example.com',
  ];
  for (const email of emails) assert.equal(isEmail(email), true, email);
  const others = [
    '',
    'aroha',
    'aroha@',
    '@example.com',
    'aroha@example',
    'aroha@example.',
    'aroha@.com',
    'aroha@example..com',
    'a@b@example.com',
    'a b@example.com',
    'a@exam ple.com',
    'a\u00A0b@example.com',
    'a\u0007b@example.com',
    'a@example.com\u007F',
    'a\u0085@example.com',
    ' a@example.com',
    'a@example.com\n',
  ];
  for (const text of others) assert.equal(isEmail(text), false, JSON.stringify(text));
});

test('an email has at most 254 characters, counted as code points', () => {
  const domain = '@example.com';
  const local = 254 - domain.length;
  assert.equal(isEmail('a'.repeat(local) + domain), true);
  assert.equal(isEmail('a'.repeat(local + 1) + domain), false);
  assert.equal(isEmail('\u{20BB7}'.repeat(local) + domain), true);
  assert.equal(isEmail('\u{20BB7}'.repeat(local + 1) + domain), false);
});

test('a very long text is no email', () => {
  for (const text of [`a@${'a.'.repeat(200_000)}`, 'a'.repeat(400_000), '@'.repeat(400_000)])
    assert.equal(isEmail(text), false);
});
