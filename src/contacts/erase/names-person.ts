import { dropApostrophes, fold } from '../../platform/text/index.ts';

/** The emails, names and phones that a person has or had. */
export interface PersonNames {
  emails: string[];
  names: (string | null)[];
  phones: (string | null)[];
}

/** The fewest digits of a number that identifies a person. */
const PHONE_MIN_DIGITS = 6;

/**
 * Creates the function that returns whether a text names a person: it has all words of an email, name or phone of the person,
 * in any order or without spaces, a word with an @ that begins an email, or a phone with or without its country code.
 */
export function createPersonTest({
  emails,
  names,
  phones,
}: PersonNames): (text: string) => boolean {
  const wanted = [...emails, ...names, ...phones]
    .map((text) => listWords(text ?? ''))
    .filter((words) => words.length > 0);
  const spellings = wanted.map(spellAnyhow);
  const folded = emails.map(foldWords);
  const numbers = phones.map((phone) => readDigits(phone ?? ''));
  return (text) => {
    const words = new Set(listWords(text));
    const searched = foldWords(text);
    const starts = searched.split(' ').filter((word) => word.includes('@'));
    const digits = readDigits(text);
    return (
      wanted.some((each) => each.every((word) => words.has(word))) ||
      spellings.some((spelling) => spelling.test(searched)) ||
      starts.some((start) => folded.some((email) => email.startsWith(start))) ||
      numbers.some((number) => isSameNumber(number, digits))
    );
  };
}

const foldWords = (text: string): string => dropApostrophes(fold(text));

const listWords = (text: string): string[] => foldWords(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Matches words in their order, with other spaces and signs between their letters or none. */
const spellAnyhow = (words: string[]): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${Array.from(words.join('')).join('[^\\p{L}\\p{N}]*')}(?![\\p{L}\\p{N}])`,
    'u',
  );

/** Reads the digits of a phone number, without leading zeros, which a country code replaces. */
const readDigits = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

function isSameNumber(own: string, found: string): boolean {
  if (Math.min(own.length, found.length) < PHONE_MIN_DIGITS) return false;
  return own.endsWith(found) || found.includes(own);
}
