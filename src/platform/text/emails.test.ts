import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainEmailFault, parseEmail, toEmailKey } from './emails.ts';

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

test('letters that fold alike, invisible characters, and the two forms of a domain make one email', () => {
  const groups = [
    ['straße@example.com', 'STRASSE@example.com', 'strasse@EXAMPLE.com'],
    ['ΟΔΟΣ@example.com', 'οδος@example.com'],
    ['a@māori.nz', 'A@MĀORI.NZ', 'a@xn--mori-qsa.nz', 'a@XN--MORI-QSA.nz'],
    [
      'aroha@example.com',
      '\u200Baro\u00ADha@exam\uFE0Fple.com\u2069',
      '\u202Aaroha@example.com\u202C',
      'aro\uFEFFha@exam\uFEFFple.com',
    ],
  ];
  for (const group of groups) assert.equal(new Set(group.map(toEmailKey)).size, 1, group[0]);
  assert.notEqual(toEmailKey('kız@example.com'), toEmailKey('kiz@example.com'));
});

const WRAPPED = [
  '<a@b.nz>',
  '<<a@b.nz>>,',
  'a@b.nz>',
  'mailto:a@b.nz?subject=Hello',
  'MAILTO: a@b.nz',
  'mailto://a@b.nz',
  'E-mail: a@b.nz',
  "'a@b.nz'",
  '"a@b.nz";',
  '\u201Ca@b.nz\u201D',
  '(a@b.nz)',
  '[a@b.nz]',
  ',a@b.nz',
  'a@b.nz.',
  'Aroha Ngata <a@b.nz>',
  '"Ngata, Aroha" <mailto:a@b.nz>;',
  'A@B.nz <a@b.nz>',
  'Aroha <a@b.nz',
  '\u2066 <\u200Ba@b.nz\u200B> \u2069',
];
for (const text of WRAPPED)
  test(`the address in ${JSON.stringify(text)} is a@b.nz`, () => {
    assert.equal(parseEmail(text), 'a@b.nz');
    assert.equal(toEmailKey(text), 'a@b.nz');
  });

test('an email of letters in any script is as it was, without the invisible characters at its ends', () => {
  const emails = [
    'a@b.nz',
    'a+b.c-d_e@sub.example.co.nz',
    "o'brien@example.com",
    "'t.hooft@example.com",
    '.dot@example.com',
    'ngāti@whānau.māori.nz',
    '李@例え.jp',
    'a@paral·lel.cat',
    '!#$%&*/=?^`{|}~@example.com',
    'a\u200B@b.nz',
    'a\uFEFF@b.nz',
  ];
  for (const email of emails) assert.equal(parseEmail(`\uFEFF ${email}\u200F\n`), email);
});

const REFUSED: [text: string, reason: RegExp][] = [
  ['', /no @/],
  ['aroha', /no @/],
  ['aroha@', /no dot/],
  ['@example.com', /nothing is before/],
  ['\u200B@example.com', /nothing is before/],
  ['aroha@example', /no dot/],
  ['aroha@.com', /each part/],
  ['aroha@example..com', /each part/],
  ['aroha@-example.com', /each part/],
  ['aroha@exam_ple.com', /each part/],
  ['a@b@example.com', /more than one @/],
  ['a@b.nz, c@d.nz', /more than one @/],
  ['a@b.nz <c@d.nz>', /more than one @/],
  ['<a@b.nz> <c@d.nz>', /more than one @/],
  ['Aroha a@b.nz', /space/],
  ['a@exam ple.com', /space/],
  ['a\u00A0b@example.com', /space/],
  ['a\u0007b@example.com', /control/],
  ['"quoted"@example.com', /before the @/],
  ['a,b@example.com', /before the @/],
  ['a:b@example.com', /before the @/],
];
for (const [text, reason] of REFUSED)
  test(`${JSON.stringify(text)} is not an email`, () => {
    assert.equal(parseEmail(text), null);
    assert.match(explainEmailFault(text), reason);
  });

test('an email has at most 254 characters, counted as code points', () => {
  const domain = '@example.com';
  const local = 254 - domain.length;
  assert.equal(parseEmail('a'.repeat(local) + domain) !== null, true);
  assert.equal(parseEmail('a'.repeat(local + 1) + domain) !== null, false);
  assert.equal(parseEmail('\u{20BB7}'.repeat(local) + domain) !== null, true);
  assert.equal(parseEmail('\u{20BB7}'.repeat(local + 1) + domain) !== null, false);
});

test('a very long text is not an email', () => {
  const texts = [
    `a@${'a.'.repeat(200_000)}`,
    'a'.repeat(400_000),
    '@'.repeat(400_000),
    '<'.repeat(400_000),
  ];
  for (const text of texts) assert.equal(parseEmail(text), null);
});

test('the key of a very long text takes linear time', () => {
  const text = `a${'\u0316\u0301'.repeat(500_000)}@example.com`;
  assert.equal(toEmailKey(text), text);
});
