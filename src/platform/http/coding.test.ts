import assert from 'node:assert/strict';
import { test } from 'node:test';
import { negotiateCoding } from './coding.ts';

const CASES = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['deflate', 'identity'],
  ['identity', 'identity'],
  ['gzip;q=0', 'identity'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.000, gzip;q=0, *', 'identity'],
  ['br ; q=0 , gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity;q=1, gzip;q=0.5', 'identity'],
  [';;,=,', 'identity'],
] as const;

for (const [header, coding] of CASES)
  test(`Accept-Encoding ${JSON.stringify(header)} is answered with ${coding}`, () => {
    assert.equal(negotiateCoding(header), coding);
    assert.equal(negotiateCoding(header), coding);
  });
