import list from 'big-list-of-naughty-strings' with { type: 'json' };
import fc from 'fast-check';

const characters = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)).join('');

// Strings that the list of 2015 leaves out, or that are special to JSON, CSV, SQL and the text rules of this service.
const OURS = [
  // Names of members that every JavaScript object has.
  '__proto__',
  'constructor',
  'prototype',
  'hasownproperty',
  'toString',
  'valueof',
  // Characters that other programs drop, replace or execute. Only U+0000 is refused.
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
  // Texts that normalization or a change of case would change.
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
  // One visible sign made of several code points.
  '👩🏽‍👩🏻‍👧🏿',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '🇳🇿',
  '1️⃣',
  '\u{1F3E1}\u200D',
  'नी',
  'ด้้้้้',
  // Syntax of CSV, and formulas of the spreadsheets that open it.
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
  // Syntax of JSON and SQL, and of PostgreSQL's text formats.
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

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character. The unit `binary` of fast-check is the same, but takes a second to be made. */
export const CHARACTER = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count));

const FUZZED = fc.sample(fc.string({ unit: CHARACTER, maxLength: 40 }), { seed: 1, numRuns: 100 });

/** Texts that break careless programs: the Big List of Naughty Strings, and our own. */
export const NAUGHTY_STRINGS: string[] = [...list, ...OURS, ...FUZZED].filter(
  // U+0000 is the one character that PostgreSQL cannot hold.
  (text) => !text.includes('\0'),
);
