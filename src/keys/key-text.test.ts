import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readAccountId, createKeyText } from './key-text.ts';

const ACCOUNT = '019a2b3c-4d5e-7f60-8123-456789abcdef';

test('a key names its account', () => {
  for (const secret of [Buffer.alloc(16), Buffer.alloc(16, 255), randomBytes(16)]) {
    const key = createKeyText(ACCOUNT, secret);
    assert.match(key, /^offplan_[0-9A-Za-z]{49}$/);
    assert.equal(readAccountId(key), ACCOUNT);
  }
});

test('a key with any one character mistyped is refused without a look-up', () => {
  const key = createKeyText(ACCOUNT);
  for (let index = 0; index < key.length; index += 1) {
    const other = key.charAt(index) === 'x' ? 'y' : 'x';
    assert.equal(
      readAccountId(key.slice(0, index) + other + key.slice(index + 1)),
      null,
      `at ${index}`,
    );
  }
});

test('a text that is not a key names no account', () => {
  for (const text of ['', 'offplan_', `offplan_${'z'.repeat(49)}`, createKeyText(ACCOUNT) + '0'])
    assert.equal(readAccountId(text), null);
});
