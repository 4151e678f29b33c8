import { domainToUnicode } from 'node:url';
import { countCharacters, foldCase, isBlank, removeIgnorable, trimInvisible } from './text.ts';

const EMAIL_MAX_LENGTH = 254;

/**
 * Finds the one email address in a text. Removes everything that mail programs, forms and lists put around it: invisible
 * characters, brackets, quotes, `mailto:`, a name before `<`, and punctuation at the end. Returns null when there is no address.
 */
export function parseEmail(text: string): string | null {
  const email = unwrap(text);
  return findEmailFault(email) === null ? email : null;
}

/** Explains why `parseEmail` finds no address in a text: `it has no @`. */
export function explainEmailFault(text: string): string {
  return findEmailFault(unwrap(text)) ?? '';
}

/**
 * Makes the key of an email. Emails that differ only in case, in invisible characters, in what is around the address, or in the
 * form of the domain (`xn--…`) have the same key. Marks (é, e) make a difference.
 */
export function toEmailKey(text: string): string {
  const email = removeIgnorable(parseEmail(text) ?? text).trim();
  // No contact has such a long email, and folding a long run of marks takes quadratic time.
  if (email.length > 2 * EMAIL_MAX_LENGTH) return email;
  const at = email.lastIndexOf('@') + 1;
  return foldCase(email.slice(0, at)) + toDomainKey(email.slice(at));
}

const ASCII_DOMAIN = /^[\w.-]*$/;

function toDomainKey(domain: string): string {
  const folded = foldCase(domain);
  if (ASCII_DOMAIN.test(folded) && !folded.includes('xn--')) return folded;
  // An invalid domain has no Unicode form.
  return foldCase(domainToUnicode(folded) || folded);
}

/** A name and an address together are shorter. The limit bounds the time of `unwrap`. */
const WRAPPED_MAX_LENGTH = 1_000;
const WRAPPERS_MAX_COUNT = 6;

function unwrap(text: string): string {
  let email = trimInvisible(text);
  if (email.length > 2 * EMAIL_MAX_LENGTH) return email;
  for (let count = 0; count < WRAPPERS_MAX_COUNT && findEmailFault(email) !== null; count += 1) {
    const inner = takeFromAngles(email) ?? takeFromScheme(email) ?? stripPunctuation(email);
    email = trimInvisible(inner);
  }
  return email;
}

/** Takes the address out of `Name <a@example.com>`. Returns null when the rest has another address. */
function takeFromAngles(text: string): string | null {
  const [before = '', after, more] = text.split('<', 3);
  if (after === undefined || more !== undefined) return null;
  const [address = '', ...rest] = after.split('>');
  const outside = before + rest.join('');
  // Mail programs write the address in place of a name that they do not know.
  const isSame = outside.includes('@') && toEmailKey(outside) === toEmailKey(address);
  return isSame || !outside.includes('@') ? address : null;
}

const SCHEME = /^(?:mailto|e-?mail):(?:\/\/)?([^?]*)/i;

/** Takes the address out of `mailto:a@example.com?subject=…`. */
function takeFromScheme(text: string): string | null {
  return SCHEME.exec(text)?.[1] ?? null;
}

const OPENING = new Set('<([{"\'“„”‘‚’«‹`,;');
const CLOSING = new Set('>)]}"\'“”‘’»›`,;:.');

function stripPunctuation(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && OPENING.has(text[start] ?? '')) start += 1;
  while (end > start && CLOSING.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}

// The byte order mark is invisible, though JavaScript takes it for white space.
const SPACE_OR_CONTROL = /[[\s\p{Cc}]--\p{DI}]/v;
const SPECIAL = /[()<>[\]:;,\\"]/;
// The signs between letters are those in Catalan and Japanese domains.
const DOMAIN_LABEL = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}\u00B7\u30FB-]*[\p{L}\p{N}\p{M}])?$/u;

function findEmailFault(email: string): string | null {
  if (email.length > WRAPPED_MAX_LENGTH || countCharacters(email) > EMAIL_MAX_LENGTH)
    return `it has more than ${EMAIL_MAX_LENGTH} characters`;
  const [local, domain, ...others] = email.split('@');
  if (domain === undefined) return 'it has no @';
  if (others.length > 0) return 'it has more than one @';
  if (SPACE_OR_CONTROL.test(email)) return 'it has a space or a control character';
  if (isBlank(local)) return 'nothing is before the @';
  if (SPECIAL.test(local)) return 'before the @ it has one of ( ) < > [ ] : ; , \\ "';
  const labels = removeIgnorable(domain).split('.');
  if (labels.length === 1) return 'its domain, after the @, has no dot';
  return labels.every((label) => DOMAIN_LABEL.test(label))
    ? null
    : 'each part of its domain, after the @, must be of letters, digits and inner hyphens';
}
