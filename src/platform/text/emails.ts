import { ignoreCase, lengthOf } from './text.ts';

const EMAIL_MAX_LENGTH = 254;
const EMAIL = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@.]+(\.[^\s\p{Cc}@.]+)+$/u;

/** Whether a trimmed text is an email as Offplan accepts it: one @, a local part, a domain with a dot. */
export function isEmail(text: string): boolean {
  return lengthOf(text) <= EMAIL_MAX_LENGTH && EMAIL.test(text);
}

/** Two emails with the same key are one: case and outer spaces do not count, marks do. */
export function emailKey(email: string): string {
  return ignoreCase(email.trim());
}
