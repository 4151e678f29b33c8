import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

const KNOWN = ['serve', 'load', 'export', 'import', 'imports', 'keys', 'accounts'];

test('a word with a slip or two is taken for the known one', () => {
  const meant = ['key', 'kyes', 'Keys', 'improt', 'exprot', 'account', 'srve', 'lod'];
  assert.deepEqual(
    meant.map((word) => nearest(word, KNOWN)),
    ['keys', 'keys', 'keys', 'import', 'export', 'accounts', 'serve', 'load'],
  );
});

test('a word that is far from all of them stands for none', () => {
  for (const word of ['', 'x', 'fly', 'list', 'restore', 'ServiceAccountsOfNobody'])
    assert.equal(nearest(word, KNOWN), undefined, word);
});
