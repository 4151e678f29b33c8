import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPasswordFault } from './rules.ts';

const EMAIL = 'hana.parata@example.com';

test('a password has 12 to 200 characters', () => {
  for (const password of ['', 'elevenchars', 'x1'.repeat(101), '🏡'.repeat(11)])
    assert.match(findPasswordFault(password, EMAIL) ?? '', /12 to 200/);
  for (const password of ['twelve chars', 'x1'.repeat(100), 'āpōpō 🏡🏡🏡🏡🏡🏡'])
    assert.equal(findPasswordFault(password, EMAIL), null, password);
});

test('a password that many people have is refused, in any case', () => {
  for (const password of ['qwerty123456', 'QWERTY123456', 'Administrator', 'aaaaaaaaaaaaaa'])
    assert.match(findPasswordFault(password, EMAIL) ?? '', /many people/, password);
});

test('the email of the person is not accepted as a password', () => {
  assert.match(findPasswordFault('Hana.Parata@Example.com', EMAIL) ?? '', /email/);
});
