import { domainToASCII } from 'node:url';
import { foldCase, removeIgnorable } from '../../platform/text/index.ts';

/** Longer texts are not folded, since normalizing a long run of marks takes quadratic time. */
const FOLDED_MAX_LENGTH = 1_000;

const JSON_ESCAPE = /\\(?:u([0-9a-f]{4})|([bfnrt"\\/]))/gi;
/** No address has one of these characters. */
const SEPARATORS = /[\s\p{Cc}()<>[\]:;,\\"]+/u;
/** `ana@example.com` is not the address in `jo.ana@example.com`, nor in `ana@example.com.au`. */
const GOES_BEFORE = /[\p{L}\p{N}\p{M}][._+-]?$/u;
const GOES_ON = /^[.-]?[\p{L}\p{N}\p{M}]/u;

/** Finds which of some emails, given by their keys, a payload contains: as a value, in a list, among other words, or escaped. */
export function findMentions(payload: string, emailKeys: string[]): string[] {
  const words = removeIgnorable(unescape(payload)).split(SEPARATORS);
  const addresses = words.filter((word) => word.includes('@')).map(foldWord);
  return emailKeys.filter((key) =>
    listForms(key).some((form) => addresses.some((text) => hasEmail(text, form))),
  );
}

function unescape(text: string): string {
  return text.replace(JSON_ESCAPE, (_all, code?: string, sign = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return /[bfnrt]/i.test(sign) ? ' ' : sign;
  });
}

function foldWord(word: string): string {
  return word.length > FOLDED_MAX_LENGTH ? word.toLowerCase() : foldCase(word);
}

/** Lists the forms in which an email can be written: its domain can be in ASCII (`xn--…`). */
function listForms(key: string): string[] {
  const at = key.lastIndexOf('@') + 1;
  const domain = domainToASCII(key.slice(at));
  return domain === '' ? [key] : [...new Set([key, key.slice(0, at) + domain])];
}

function hasEmail(text: string, email: string): boolean {
  for (let at = text.indexOf(email); at >= 0; at = text.indexOf(email, at + 1)) {
    const end = at + email.length;
    if (
      !GOES_BEFORE.test(text.slice(Math.max(0, at - 4), at)) &&
      !GOES_ON.test(text.slice(end, end + 4))
    )
      return true;
  }
  return false;
}
