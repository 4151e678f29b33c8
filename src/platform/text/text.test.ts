import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold, isBlank, isStorable, countCharacters } from './text.ts';

const decomposed = (text: string): string => text.normalize('NFD');

test('absent, empty and invisible characters alone are blank; anything else is not', () => {
  for (const blank of [
    undefined,
    null,
    '',
    ' ',
    '\t\r\n',
    '\u00A0\u2003\u3000\uFEFF',
    '\u200B \u2066\u00AD\u{E0041}',
  ])
    assert.equal(isBlank(blank), true, JSON.stringify(blank));
  for (const text of ['0', ' x ', '\u0001', 'null']) assert.equal(isBlank(text), false, text);
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
  assert.equal(fold('STRASSE'), fold('Straße'));
  assert.equal(fold('Whan\u00ADga\u200Brei'), 'whangarei');
});

test('fold makes all apostrophes one, and all hyphens and dashes', () => {
  for (const text of ['Hawke\u2019s Bay', 'Hawke\u2018s Bay', 'Hawke\u02BCs Bay', 'HAWKE`S BAY'])
    assert.equal(fold(text), "hawke's bay", text);
  for (const dash of ['-', '\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\uFF0D'])
    assert.equal(fold(`Manawatū${dash}Whanganui`), 'manawatu-whanganui', dash);
});

test('fold keeps apart what differs in its letters, digits or signs', () => {
  const texts = ['Te Aro', 'TeAro', 'Te-Aro', 'Te Ara', 'Te Aro 2', 'Øst', 'Ost'];
  assert.equal(new Set(texts.map(fold)).size, texts.length);
});

test('fold gives a storable text that folds to itself', () => {
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

test('the length of a text counts code points', () => {
  assert.equal(countCharacters(''), 0);
  assert.equal(countCharacters('a\u{1F3E1}ā'), 3);
  assert.equal(countCharacters(decomposed('ā')), 2);
});
