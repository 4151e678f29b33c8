import { listPhoneAlternatives, listPhoneWords } from './phones.ts';
import { dropApostrophes, fold } from './text.ts';

/** The texts by which a search finds something, such as a contact. */
interface SearchedTexts {
  texts: (string | null)[];
  phones: (string | null)[];
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const WORD_STARTS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;
const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** A longer word is cut. No email is longer. */
const WORD_MAX_LENGTH = 254;
const WORDS_MAX_COUNT = 100;
/** The number of characters of a text that a search covers. */
const TEXT_MAX_LENGTH = 1_000;

/** Lists the words by which a search finds something. It leaves out a word that another one begins with. */
function listSearchWords({ texts, phones }: SearchedTexts): string[] {
  const words = [
    ...texts.flatMap((text) => listWords(text ?? '')),
    ...phones.flatMap((text) => listPhoneWords(text ?? '')),
  ];
  return sortWords(words).slice(0, WORDS_MAX_COUNT);
}

/** Sorts words, and leaves out one that another one begins with. */
function sortWords(words: string[]): string[] {
  const sorted = words.toSorted();
  return sorted.filter((word, at) => !(sorted[at + 1]?.startsWith(word) ?? false));
}

/**
 * Lists the texts from the beginning of each word to the next space: `smith@example.com` is one in `jane.smith@example.com`. Lists
 * those with an apostrophe without it, too: people search for O'Brien as obrien.
 */
function listWords(text: string): string[] {
  const folded = fold(text.slice(0, TEXT_MAX_LENGTH));
  const searched = folded.includes("'") ? `${folded} ${dropApostrophes(folded)}` : folded;
  return searched
    .split(' ')
    .flatMap((token) => [...token.matchAll(WORD_STARTS)].map(({ index }) => cutWord(token, index)));
}

/** Cuts out the word that begins here in a token. A cut may leave half of a surrogate pair, which becomes U+FFFD. */
function cutWord(token: string, start = 0): string {
  return token
    .slice(start, start + WORD_MAX_LENGTH)
    .toWellFormed()
    .replace(OUTER_SIGNS, '');
}

/** Lists the word of a token with its apostrophes and without. */
function listSpellings(token: string): string[] {
  const word = toWord(token);
  return word.includes("'") ? [word, dropApostrophes(word)] : [word];
}

/** Splits a search at its spaces. Leaves out what has neither a letter nor a digit. */
const splitSearch = (text: string): string[] =>
  fold(text)
    .split(' ')
    .filter((token) => LETTER_OR_DIGIT.test(token));

const toWord = (token: string): string => cutWord(token.replace(OUTER_SIGNS, ''));

const PHONE_TOKEN = /^[+(]*[\d().\-/]+$/;

/** Joins the groups of digits of a phone, as in `021 123 4567`. */
function joinPhones(tokens: string[]): string[] {
  const joined: string[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const isMore = last !== undefined && PHONE_TOKEN.test(last.replaceAll(' ', ''));
    if (isMore && PHONE_TOKEN.test(token)) joined[joined.length - 1] = `${last} ${token}`;
    else joined.push(token);
  }
  return joined;
}

/** Writes the words of something as one text. A space comes before each word. */
export function formatSearchText(texts: SearchedTexts): string {
  return ` ${listSearchWords(texts).join(' ')}`;
}

const toPattern = (word: string): string => `% ${word.replace(/[\\%_]/g, String.raw`\$&`)}%`;

/**
 * Writes a search as patterns of LIKE: something matches when its text fits one pattern of each list. A search without a word
 * matches nothing.
 */
export function listSearchPatterns(text: string): string[][] {
  return joinPhones(splitSearch(text)).map((token) => [
    ...(token.includes(' ')
      ? [toPatternOfAll(token.split(' '))]
      : listSpellings(token).map(toPattern)),
    ...listPhoneAlternatives(token).map(toPattern),
  ]);
}

/** Writes one pattern for texts that have all these words: the words of a text are sorted. */
const toPatternOfAll = (tokens: string[]): string =>
  sortWords(tokens.map(toWord)).map(toPattern).join('');

/** Writes a search for something without phones as patterns of LIKE, as `listSearchPatterns` does. */
export function listWordPatterns(text: string): string[][] {
  return splitSearch(text).map((token) => listSpellings(token).map(toPattern));
}

const SORT_KEY_MAX_LENGTH = 200;

/** Makes the key by which lists sort a text; null for a text that shows nothing. */
export function toSortKey(text: string | null): string | null {
  return (
    fold((text ?? '').slice(0, TEXT_MAX_LENGTH))
      .slice(0, SORT_KEY_MAX_LENGTH)
      .toWellFormed() || null
  );
}
