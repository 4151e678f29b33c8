import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddress } from './index.ts';

const PRIVATE_HOSTS =
  `127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 127.0.0.1. 0 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254
  100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 %31%32%37.1 ①②⑦.0.0.1
  [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1] [2002:7f00:1::] [2001::1] [fc00::1]
  [fd12::1] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] [4000::1] [0:0:0:0:0:0:0:1]
  localhost LOCALHOST localhost. a.localhost a.localhost. ｌｏｃａｌｈｏｓｔ`.split(/\s+/);

for (const host of PRIVATE_HOSTS)
  test(`a webhook to ${host} is refused, unless private addresses are allowed`, () => {
    for (const url of [`https://${host}`, `https://${host}:8443/hooks?a=1`])
      assert.equal(
        checkAddress(url, { allowPrivate: false }),
        'must be an address in the public internet',
      );
    assert.equal(checkAddress(`https://${host}/`, { allowPrivate: true }), null);
    assert.equal(checkAddress(`http://${host}/`, { allowPrivate: true }), null);
  });

for (const host of [
  'example.com',
  '8.8.8.8',
  '[2606:4700::1111]',
  'localhost.example.com',
  '10.com',
])
  test(`a webhook to ${host} is taken`, () => {
    assert.equal(checkAddress(`https://${host}/hooks`, { allowPrivate: false }), null);
  });

test('the address of a webhook is an https URL without credentials', () => {
  const refuse = (url: string, reason: RegExp, allowPrivate = false) =>
    assert.match(checkAddress(url, { allowPrivate }) ?? 'taken', reason, url);
  for (const url of ['', 'example.com', '/hooks', 'https://', 'https://[::1', 'https://1.2.3.256'])
    refuse(url, /^must be a URL/);
  for (const url of ['http://example.com', 'ftp://example.com', 'file:///etc/passwd', 'data:,a'])
    refuse(url, /^must begin with https:\/\/$/);
  refuse('ftp://example.com', /^must begin with https:\/\/ or http:\/\/$/, true);
  for (const url of ['https://a@example.com', 'https://:b@example.com', 'https://a:b@example.com'])
    for (const allowPrivate of [false, true]) refuse(url, /user name or a password/, allowPrivate);
});
