import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEtag, matchesEtag } from './etag.ts';

const ETAG = 'W/"one"';
const OTHER = 'W/"two"';

test('an ETag matches itself, weak or strong, alone or in a list', () => {
  for (const header of [
    ETAG,
    ETAG.slice(2),
    ` ${ETAG} `,
    `${OTHER}, ${ETAG}`,
    `"x",${ETAG.slice(2)}`,
  ])
    assert(matchesEtag(header, ETAG), header);
});

test('the same bytes have the same ETag, others another one', () => {
  const etag = makeEtag(Buffer.from('one'));
  assert.equal(makeEtag(Buffer.from('one')), etag);
  assert.notEqual(makeEtag(Buffer.from('two')), etag);
  assert.match(etag, /^W\/"[\w-]{43}"$/);
});

test('* matches whatever there is', () => assert(matchesEtag('*', ETAG)));

test('nothing else matches', () => {
  for (const header of [undefined, '', OTHER, 'W/""', ETAG.slice(3, -1), `"${ETAG.slice(3, -2)}"`])
    assert(!matchesEtag(header, ETAG), header);
});
