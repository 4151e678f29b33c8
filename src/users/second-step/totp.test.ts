import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStepOfCode, formatOtpauthUrl, toBase32 } from './totp.ts';

// The secret and the times of RFC 6238, appendix B; the codes are the last six digits.
const SECRET = Buffer.from('12345678901234567890');
const VECTORS = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const;

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of VECTORS)
    assert.equal(findStepOfCode(SECRET, code, new Date(seconds * 1_000)), Math.floor(seconds / 30));
});

test('a code is accepted one step before and after, and not further', () => {
  const at = (steps: number) => new Date((1111111109 + steps * 30) * 1_000);
  for (const steps of [-1, 0, 1])
    assert.equal(findStepOfCode(SECRET, '081 804', at(steps)), 37037036);
  for (const steps of [-2, 2]) assert.equal(findStepOfCode(SECRET, '081804', at(steps)), null);
  for (const code of ['', '81804', '0818040', 'x', '000000'])
    assert.equal(findStepOfCode(SECRET, code, at(0)), null);
});

test('secrets are written in base32, and in the URL that apps read', () => {
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['foobar', 'MZXW6YTBOI'],
    ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  ] as const)
    assert.equal(toBase32(Buffer.from(text)), encoded);
  assert.equal(
    formatOtpauthUrl('MZXW6YTBOI', 'Kōwhai Lane', 'a@b.example'),
    'otpauth://totp/K%C5%8Dwhai%20Lane:a%40b.example?secret=MZXW6YTBOI&issuer=K%C5%8Dwhai%20Lane',
  );
});
