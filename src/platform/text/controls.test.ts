import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeControls, escapeLine } from './controls.ts';

test('each character that a terminal obeys becomes its code, and every other character stays', () => {
  const obeyed = [...range(0x00, 0x1f), ...range(0x7f, 0x9f), 0x061c, 0x200e, 0x200f]
    .concat(range(0x202a, 0x202e), range(0x2066, 0x2069))
    .map((code) => String.fromCodePoint(code));
  for (const control of obeyed) {
    const code = `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
    assert.equal(escapeLine(`a${control}b`), `a${code}b`);
    const stays = control === '\n' || control === '\t';
    assert.equal(escapeControls(`a${control}b`), `a${stays ? control : code}b`);
  }
  const others = range(0x20, 0x1_1000).filter((code) => code < 0xd800 || code > 0xdfff);
  const text = String.fromCodePoint(...others.slice(0, 50_000));
  const changed = new Set(
    Array.from(text).filter((character) => escapeLine(character) !== character),
  );
  assert.deepEqual(
    [...changed].toSorted(),
    obeyed.filter((each) => text.includes(each)).toSorted(),
  );
});

test('JSON with codes means the same', () => {
  const value = { name: 'a\u001b[31m\u009b2J\u202eb\u007f', 'key\u202e': '\n\t' };
  assert.deepEqual(JSON.parse(escapeControls(JSON.stringify(value, null, 2))), value);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
