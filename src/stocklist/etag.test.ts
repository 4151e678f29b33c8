import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEtag } from './etag.ts';

test('the same bytes have the same ETag, others another one', () => {
  const etag = makeEtag(Buffer.from('one'));
  assert.equal(makeEtag(Buffer.from('one')), etag);
  assert.notEqual(makeEtag(Buffer.from('two')), etag);
  assert.match(etag, /^W\/"[\w-]{43}"$/);
});
