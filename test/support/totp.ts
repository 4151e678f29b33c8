import { createHmac } from 'node:crypto';

export const STEP_MS = 30_000;

/** Decodes base32 (RFC 4648), in which a second step shows its secret. */
export function readBase32(text: string): Buffer {
  const bits = Array.from(text)
    .map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

/** The code that an authenticator app shows so many steps from now. */
export function codeOf(secret: string, steps = 0): string {
  const key = readBase32(secret);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const hash = createHmac('sha1', key).update(counter).digest();
  const number = hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
