import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createListedFinder } from './listed.ts';

const find = createListedFinder(['First Home Buyer', 'Investor']);

test('a listed value is found in another spelling', () => {
  for (const text of ['Investor', ' INVESTOR\r\n', 'invéstor', '\u200Binvestor'])
    assert.equal(find(text), 'Investor', text);
  for (const text of [
    'first-home buyer',
    'first_home_buyer',
    'First\u2013Home  Buyer',
    'FIRST\u00A0HOME\u00A0BUYER',
  ])
    assert.equal(find(text), 'First Home Buyer', text);
});

test('another text is not', () => {
  for (const text of ['', 'Investors', 'FirstHomeBuyer', 'First Home'])
    assert.equal(find(text), undefined);
});
