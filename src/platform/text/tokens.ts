import { createHash, randomBytes } from 'node:crypto';

/*
 * The text of a secret token is a prefix and bytes in base62: the account's id (so that a look-up touches one shard),
 * random bytes, and the first 4 bytes of the SHA-256 of both (so that a typo is refused without a look-up, and a scanner
 * recognises a leaked token).
 */
const ID_BYTES = 16;
const CHECKSUM_BYTES = 4;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

/** A kind of secret token: API keys, sessions, links. */
export interface TokenKind {
  /** Makes the text of a new token of an account. */
  create: (accountId: string, secret?: Buffer) => string;
  /** Reads the account's id out of a token's text; null when the text cannot be a token. */
  readAccountId: (text: string) => string | null;
}

/** Defines a kind of token by its prefix and the number of its random bytes. */
export function defineToken(prefix: string, secretBytes: number): TokenKind {
  const totalBytes = ID_BYTES + secretBytes + CHECKSUM_BYTES;
  const length = Math.ceil((totalBytes * 8) / Math.log2(DIGITS.length));
  const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${length}}$`);

  function checksum(payload: Buffer): Buffer {
    const hash = createHash('sha256').update(prefix).update(payload).digest();
    return hash.subarray(0, CHECKSUM_BYTES);
  }

  return {
    create(accountId, secret = randomBytes(secretBytes)) {
      const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
      const payload = Buffer.concat([id, secret]);
      return prefix + encode(Buffer.concat([payload, checksum(payload)]), length);
    },
    readAccountId(text) {
      if (!pattern.test(text)) return null;
      const bytes = decode(text.slice(prefix.length), totalBytes);
      if (bytes === null) return null;
      const payload = bytes.subarray(0, -CHECKSUM_BYTES);
      if (!checksum(payload).equals(bytes.subarray(-CHECKSUM_BYTES))) return null;
      const hex = payload.toString('hex', 0, ID_BYTES);
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}

/** Hashes the text of a token. The database stores only the hash. */
export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function encode(bytes: Buffer, length: number): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = DIGITS.charAt(Number(number % BASE)) + text;
    number /= BASE;
  }
  return text;
}

function decode(text: string, totalBytes: number): Buffer | null {
  let number = 0n;
  for (const digit of text) number = number * BASE + BigInt(DIGITS.indexOf(digit));
  const hex = number.toString(16).padStart(totalBytes * 2, '0');
  return hex.length === totalBytes * 2 ? Buffer.from(hex, 'hex') : null;
}
