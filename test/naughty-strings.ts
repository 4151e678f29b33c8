import list from 'big-list-of-naughty-strings' with { type: 'json' };
import fc from 'fast-check';

const characters = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)).join('');

// What that list of 2015 leaves out, and what is odd to the parts that a text passes here.
const OURS = [
  // Names that every object of JavaScript has.
  '__proto__',
  'constructor',
  'prototype',
  'hasownproperty',
  'toString',
  'valueof',
  // Characters that others drop, replace or obey; U+0000 alone is refused.
  characters(0x01, 0x1f),
  characters(0x7f, 0x9f),
  '\u001B[31m\u009B2J',
  '\b',
  '\u0007',
  '\uFFFD',
  '\uFFFE\uFFFF',
  '\u{1FFFF}\u{10FFFF}',
  '\uE000\u{F0000}',
  '\uFEFFa\uFEFF',
  'a\u2028b\u2029c\u0085d',
  '\u202Eabc\u2066d\u2069',
  'a\u00ADb\u200Bc\u2060d\u180Ee',
  // What normalization or a change of case would change.
  'Māori',
  'Ma\u0304ori',
  '\u212B\u2126\u212A',
  '\u1112\u1161\u11AB',
  '\u0958\u{1D15E}',
  'İıſßẞΣς',
  'ŉ\u0345',
  '\u0301\u0316',
  `Z${'\u0301\u0316\u0334'.repeat(30)}`,
  'ﬀ①Å',
  // One sign of several code points.
  '👩🏽‍👩🏻‍👧🏿',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '🇳🇿',
  '1️⃣',
  '\u{1F3E1}\u200D',
  'नी',
  'ด้้้้้',
  // CSV and the spreadsheets that open it.
  '"',
  '""',
  '"a"',
  'a"b',
  '","',
  'a,b;c|d\te',
  'a\r\nb',
  'a\rb',
  'a\nb',
  '"\n"',
  ' a ',
  '\ta\n',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  "'=1",
  '\t=1',
  '#REF!',
  '1e400',
  '007',
  '1,000',
  '+64 21',
  // JSON, SQL, and the texts in which PostgreSQL writes its values.
  '{"a":1}',
  '[]',
  '\\u0000',
  '\\u0041',
  '\\"',
  '\\\\',
  '\\N',
  '\\x00',
  '%00',
  '$1',
  '%s',
  '{}',
  "'; drop table contacts; --",
  'NULL',
  '{a,"b"}',
  '(1,2)',
  '[1,2)',
  'infinity',
  'NaN',
  '::',
  '\u{1F3E1}'.repeat(1_000),
];

const FUZZED = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { seed: 1, numRuns: 100 });

/** Texts that break what handles texts carelessly: the Big List of Naughty Strings, and our own. */
export const NAUGHTY_STRINGS: string[] = [...list, ...OURS, ...FUZZED].filter(
  // The one character that PostgreSQL cannot hold.
  (text) => !text.includes('\0'),
);
