import { createHash, randomBytes } from 'node:crypto';

/*
 * An API key is `offplan_` and 36 bytes in base62: the account's id (so that a look-up touches one shard), 16 random
 * bytes, and the first 4 bytes of the SHA-256 of both (so that a typo is refused without a look-up, and a scanner
 * recognises a leaked key).
 */
const KEY_PREFIX = 'offplan_';
const ID_BYTES = 16;
const SECRET_BYTES = 16;
const CHECKSUM_BYTES = 4;
const TOTAL_BYTES = ID_BYTES + SECRET_BYTES + CHECKSUM_BYTES;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = Math.ceil((TOTAL_BYTES * 8) / Math.log2(DIGITS.length));
const PATTERN = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${LENGTH}}$`);

/** Makes the text of a new key of an account. */
export function createKeyText(accountId: string, secret = randomBytes(SECRET_BYTES)): string {
  const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
  const payload = Buffer.concat([id, secret]);
  return KEY_PREFIX + encode(Buffer.concat([payload, checksum(payload)]));
}

/** Reads the account's id out of a key's text; null when the text cannot be a key. */
export function readAccountId(key: string): string | null {
  if (!PATTERN.test(key)) return null;
  const bytes = decode(key.slice(KEY_PREFIX.length));
  if (bytes === null) return null;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!checksum(payload).equals(bytes.subarray(-CHECKSUM_BYTES))) return null;
  const hex = payload.toString('hex', 0, ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Hashes a key's text: the database stores only this. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(payload: Buffer): Buffer {
  const hash = createHash('sha256').update(KEY_PREFIX).update(payload).digest();
  return hash.subarray(0, CHECKSUM_BYTES);
}

const BASE = BigInt(DIGITS.length);

function encode(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < LENGTH; index += 1) {
    text = DIGITS.charAt(Number(number % BASE)) + text;
    number /= BASE;
  }
  return text;
}

function decode(text: string): Buffer | null {
  let number = 0n;
  for (const digit of text) number = number * BASE + BigInt(DIGITS.indexOf(digit));
  const hex = number.toString(16).padStart(TOTAL_BYTES * 2, '0');
  return hex.length === TOTAL_BYTES * 2 ? Buffer.from(hex, 'hex') : null;
}
