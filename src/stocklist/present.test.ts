import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageUrl } from '../platform/text/index.ts';
import { toImage } from './present.ts';

const BASE = 'https://media.example.com/offplan';
const BASES = { stored: 'https://crm.example.com/media', others: BASE };

test('a plain key follows the media base and one slash, its own slashes kept', () => {
  assert.equal(imageUrl(BASES, 'rise/hero-1.jpg'), `${BASE}/rise/hero-1.jpg`);
});

test('a key of a picture that the service stores follows its own base', () => {
  const folder = '0196a24b-34ec-7db6-924f-03249bebad2a';
  const key = `${folder}/${'0a'.repeat(32)}.jpg`;
  assert.equal(imageUrl(BASES, key), `https://crm.example.com/media/${key}`);
  for (const other of [`${key}.png`, `x/${key}`, key.replace('jpg', 'svg'), key.toUpperCase()])
    assert.equal(imageUrl(BASES, other), `${BASE}/${other}`);
});

test('leading slashes of a key are dropped', () => {
  assert.equal(imageUrl(BASES, '//rise/hero.jpg'), `${BASE}/rise/hero.jpg`);
});

test('characters that a URL cannot hold are percent-encoded', () => {
  assert.equal(imageUrl(BASES, 'Ōtara/a b.jpg'), `${BASE}/%C5%8Ctara/a%20b.jpg`);
  assert.equal(imageUrl(BASES, '50% "off"?#1.jpg'), `${BASE}/50%25%20%22off%22%3F%231.jpg`);
});

test('the URL of any key names that key again', () => {
  for (const key of ['a b', 'a%20b', 'a?b#c', 'Ā/é', 'a+b&c=d', '\\[x]^`{|}'])
    assert.equal(decodeURIComponent(new URL(imageUrl(BASES, key)).pathname), `/offplan/${key}`);
});

test('half a surrogate pair in a key makes no error', () => {
  assert.equal(imageUrl(BASES, 'a\uD800'), `${BASE}/a%EF%BF%BD`);
});

test('an image is its key as stored and its URL; none is null', () => {
  assert.deepEqual(toImage(BASES, { key: '/a b' }), { key: '/a b', url: `${BASE}/a%20b` });
  assert.equal(toImage(BASES, null), null);
});
