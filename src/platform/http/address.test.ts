import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNetwork } from './address.ts';

test('an IPv4 address is counted by itself, written as IPv6 or with a port, too', () => {
  for (const address of [
    '203.0.113.7',
    '203.0.113.7:51234',
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
  ])
    assert.equal(getNetwork(address), '203.0.113.7');
});

test('an IPv6 address is counted with all of its /64, however it is written', () => {
  for (const [address, network] of [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::'],
    ['2001:DB8:1:2::ffff', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8::'],
    ['2001:db8::3:4:5:6', '2001:db8::'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::1', '::'],
    ['::', '::'],
  ] as const)
    assert.equal(getNetwork(address), network, address);
});

test('a text that is not an address is counted as it is', () => {
  assert.equal(getNetwork(''), '');
  assert.equal(getNetwork(undefined), '');
  assert.equal(getNetwork('unknown'), 'unknown');
});
