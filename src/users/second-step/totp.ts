import { createHmac } from 'node:crypto';

/*
 * Time-based one-time passwords (RFC 6238, over RFC 4226) with SHA-1, 30 seconds and 6 digits, since all makers' apps support
 * these.
 */
const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the number of the time step that contains a time. */
function findStep(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

/** Makes the code of a time step. */
function makeCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0x0f;
  const number = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Finds the time step of a code: the current one, the one before or the one after. Returns null when it is none of them. */
export function findStepOfCode(secret: Buffer, code: string, now: Date): number | null {
  const current = findStep(now);
  const digits = code.replaceAll(/\s/g, '');
  const steps = [current - 1, current, current + 1];
  return steps.find((step) => makeCode(secret, step) === digits) ?? null;
}

/** Encodes bytes in base32 (RFC 4648), in which people can type them into an app. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** Formats the URL that an app reads from a QR code. */
export function formatOtpauthUrl(secret: string, account: string, email: string): string {
  const label = `${encodeURIComponent(account)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(account)}`;
}
