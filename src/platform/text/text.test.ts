import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emailKey,
  fold,
  isBlank,
  isEmail,
  isStorable,
  isUuid,
  labelKey,
  lengthOf,
  normalizeLabel,
} from './text.ts';

const decomposed = (text: string): string => text.normalize('NFD');

test('absent, empty and white space alone are blank; anything else is not', () => {
  for (const blank of [undefined, null, '', ' ', '\t\r\n', '\u00A0\u2003\u3000\uFEFF'])
    assert.equal(isBlank(blank), true, JSON.stringify(blank));
  for (const text of ['0', ' x ', '\u200B', 'null']) assert.equal(isBlank(text), false, text);
});

test('a text with U+0000 or half of a surrogate pair is not storable', () => {
  for (const text of ['a\0b', '\0', '\uD83C', 'a\uDFE1b', '\uDFE1\uD83C'])
    assert.equal(isStorable(text), false, JSON.stringify(text));
  for (const text of ['', 'Whangārei', '\uD83C\uDFE1', '\u0001', '\\u0000'])
    assert.equal(isStorable(text), true, JSON.stringify(text));
});

test('fold makes names equal that differ in case, marks, composition and runs of spaces alone', () => {
  const same = ['Whangārei', 'whangarei', 'WHANGĀREI', decomposed('Whangārei'), ' Whangārei\n'];
  for (const text of same) assert.equal(fold(text), 'whangarei', text);
  assert.equal(fold('Te \t Aro\u00A0 Valley'), 'te aro valley');
  assert.equal(fold('İstanbul'), 'istanbul');
});

test('fold keeps apart what differs in its letters, digits or signs', () => {
  const texts = ['Te Aro', 'TeAro', 'Te-Aro', 'Te Ara', 'Te Aro 2', 'Øst', 'Ost'];
  assert.equal(new Set(texts.map(fold)).size, texts.length);
});

test('what fold gives folds to itself and is storable, whatever it was given', () => {
  for (const text of [
    'ĀÉÎ',
    'İ',
    'ΟΔΟΣ',
    'ẞ',
    'K',
    'Å',
    'a\0b',
    '\uD83C',
    ' \u0301 x \u0301 ',
    '한글',
  ]) {
    assert.equal(fold(fold(text)), fold(text), text);
    assert.equal(isStorable(fold(text)), true, text);
  }
});

test('a label is trimmed, its inner spaces are collapsed, and it is composed; its case stays', () => {
  assert.equal(normalizeLabel('  Hot \t\n Lead\u00A0'), 'Hot Lead');
  assert.equal(normalizeLabel(decomposed('Reo Māori')), 'Reo Māori');
  assert.equal(normalizeLabel(' \u3000 '), '');
  // The most that one character can be decomposed to, and the spaces that composition changes.
  assert.equal(normalizeLabel(decomposed('\u1F82'.repeat(100))), '\u1F82'.repeat(100));
  assert.equal(normalizeLabel('\u2000a\u2001 \u0344'), 'a \u0308\u0301');
});

test('a label is composed in a time that grows with its length, and not with its square', () => {
  const marks = '\u0301\u0316'.repeat(500_000);
  const startedMs = performance.now();
  assert.ok(lengthOf(normalizeLabel(marks)) > 1_000);
  assert.ok(performance.now() - startedMs < 1_000);
});

test('labels are one tag without regard to case, and marks keep them apart', () => {
  assert.equal(labelKey('VIP'), labelKey('vip'));
  assert.equal(labelKey('MĀORI'), labelKey(decomposed('māori')));
  assert.notEqual(labelKey('Māori'), labelKey('Maori'));
});

test('emails are one without regard to case, composition and the spaces around them', () => {
  const same = ['Zoë@Example.COM', ' zoë@example.com\n', decomposed('ZOË@example.com')];
  for (const email of same) assert.equal(emailKey(email), 'zoë@example.com');
  assert.notEqual(emailKey('zoe@example.com'), emailKey('zoë@example.com'));
  assert.notEqual(emailKey('a.b@example.com'), emailKey('ab@example.com'));
});

test('a key is the key of itself', () => {
  for (const text of ['İ', 'ΟΔΟΣ', 'ẞ', 'Å', 'ǅ', decomposed('Ṩ')]) {
    assert.equal(labelKey(labelKey(text)), labelKey(text), text);
    assert.equal(emailKey(emailKey(text)), emailKey(text), text);
  }
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

test('judging an email takes no longer than reading it', () => {
  for (const text of [`a@${'a.'.repeat(200_000)}`, 'a'.repeat(400_000), '@'.repeat(400_000)])
    assert.equal(isEmail(text), false);
});

test('the length of a text counts code points', () => {
  assert.equal(lengthOf(''), 0);
  assert.equal(lengthOf('a\u{1F3E1}ā'), 3);
  assert.equal(lengthOf(decomposed('ā')), 2);
});

test('a UUID is read in any case and with nothing around it', () => {
  assert.equal(isUuid('019a2b3c-4d5e-7f60-8123-456789abcdef'), true);
  assert.equal(isUuid('019A2B3C-4D5E-7F60-8123-456789ABCDEF'), true);
  for (const text of [
    '',
    'x',
    '019a2b3c4d5e7f608123456789abcdef',
    '{019a2b3c-4d5e-7f60-8123-456789abcdef}',
    ' 019a2b3c-4d5e-7f60-8123-456789abcdef',
    '019a2b3c-4d5e-7f60-8123-456789abcdef\n',
    '019a2b3c-4d5e-7f60-8123-456789abcdeg',
  ])
    assert.equal(isUuid(text), false, JSON.stringify(text));
});
