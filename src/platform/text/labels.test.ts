import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLabelKey, normalizeLabel } from './labels.ts';

const decomposed = (text: string): string => text.normalize('NFD');

test('a label is trimmed, its inner spaces are collapsed, and it is composed; its case stays', () => {
  assert.equal(normalizeLabel('  Hot \t\n Lead\u00A0'), 'Hot Lead');
  assert.equal(normalizeLabel(decomposed('Reo Māori')), 'Reo Māori');
  assert.equal(normalizeLabel(' \u3000 '), '');
  // The longest decomposition of one character, and the spaces that composition changes.
  assert.equal(normalizeLabel(decomposed('\u1F82'.repeat(100))), '\u1F82'.repeat(100));
  assert.equal(normalizeLabel('\u2000a\u2001 \u0344'), 'a \u0308\u0301');
});

test('a text that is too long for a label is not composed', () => {
  const marks = decomposed('ā');
  assert.equal(normalizeLabel(marks.repeat(200)), 'ā'.repeat(200));
  assert.equal(normalizeLabel(marks.repeat(201)), marks.repeat(201));
});

test('labels are one tag without regard to case, and marks keep them apart', () => {
  assert.equal(toLabelKey('VIP'), toLabelKey('vip'));
  assert.equal(toLabelKey('MĀORI'), toLabelKey(decomposed('māori')));
  assert.notEqual(toLabelKey('Māori'), toLabelKey('Maori'));
});

test('labels are one tag without regard to invisible characters, which a label does not have at its ends', () => {
  for (const text of ['VI\u200BP', '\u2066VIP\u2069', 'vip\uFE0F'])
    assert.equal(toLabelKey(text), 'vip');
  assert.equal(toLabelKey(normalizeLabel('VI\uFEFFP')), 'vip');
  assert.equal(toLabelKey('Hot \u200B lead'), toLabelKey('Hot lead'));
  assert.equal(toLabelKey('Groß'), toLabelKey('GROSS'));
  assert.equal(normalizeLabel('\u200B\u2066 VIP \u2069'), 'VIP');
  assert.equal(normalizeLabel('\u200B \uFE0F'), '');
  assert.equal(normalizeLabel('Sun \u2600\uFE0F'), 'Sun \u2600\uFE0F');
});

test('the key of a label is its own key', () => {
  for (const text of ['İ', 'ΟΔΟΣ', 'ẞ', 'Å', 'ǅ', decomposed('Ṩ')])
    assert.equal(toLabelKey(toLabelKey(text)), toLabelKey(text), text);
});
