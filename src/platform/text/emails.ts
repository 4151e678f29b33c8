import { normalizeCase, countCharacters } from './text.ts';

const EMAIL_MAX_LENGTH = 254;
const EMAIL = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@.]+(\.[^\s\p{Cc}@.]+)+$/u;

/** Whether Offplan accepts a trimmed text as an email: it needs one @, a local part, and a domain with a dot. */
export function isEmail(text: string): boolean {
  return countCharacters(text) <= EMAIL_MAX_LENGTH && EMAIL.test(text);
}

/** Makes the key of an email. Emails that differ only in case or outer spaces have the same key; marks (é, e) make a difference. */
export function toEmailKey(email: string): string {
  return normalizeCase(email.trim());
}
