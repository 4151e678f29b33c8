/*
 * A search finds a phone with or without its country code, and with or without the zero that is dialled within the country. So
 * each phone has one or two words: `#n` and the digits without either; `#c` and the digits with the country code, or `#l` and the
 * digits when the code is not known.
 */

/** The country calling codes of one and of two digits (ITU-T E.164). All others have three. */
const ONE_DIGIT_CODES = new Set(['1', '7']);
const TWO_DIGIT_CODES = new Set(
  (
    '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 ' +
    '81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
);

/** A text with fewer digits is not a phone. */
const DIGITS_MIN_COUNT = 3;
/** A number without `+` may begin with a country code when at least these digits follow. */
const NATIONAL_MIN_COUNT = 4;

/** Lists the words of a phone. */
export function listPhoneWords(text: string): string[] {
  const { digits, isInternational } = readDigits(text);
  if (digits.length < DIGITS_MIN_COUNT) return [];
  if (!isInternational) return [`#n${dropZeros(digits)}`, `#l${dropZeros(digits)}`];
  const { code, national } = splitCode(digits);
  return [`#n${national}`, `#c${code}${national}`];
}

/** Lists the prefixes of the words of all phones that begin with these digits. Empty when the text is not a phone. */
export function listPhoneAlternatives(text: string): string[] {
  if (!/^[+(]*[\d().\-/ ]+$/.test(text)) return [];
  const { digits, isInternational } = readDigits(text);
  const { code, national } = splitCode(digits);
  if (isInternational) {
    const local = national === '' ? [] : [`#l${national}`];
    return [`#c${code}${national}`, `#n${digits}`, ...local];
  }
  if (digits.startsWith('0')) return [`#n${dropZeros(digits)}`];
  const local = national.length < NATIONAL_MIN_COUNT ? [] : [`#l${national}`];
  return [`#n${digits}`, `#c${digits}`, ...local];
}

function readDigits(text: string) {
  const signs = text.replace(/[^\d+]/g, '');
  const isInternational = /^(?:\+|00)/.test(signs);
  const digits = signs.replace(/^00/, '').replaceAll('+', '');
  return { digits: digits.slice(0, 30), isInternational };
}

const dropZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Splits the digits of an international phone, and drops the zero that some write after the code: +64 (0)21. */
function splitCode(digits: string): { code: string; national: string } {
  const length = ONE_DIGIT_CODES.has(digits.slice(0, 1))
    ? 1
    : TWO_DIGIT_CODES.has(digits.slice(0, 2))
      ? 2
      : 3;
  return { code: digits.slice(0, length), national: dropZeros(digits.slice(length)) };
}
