/*
 * An invisible character is white space or a default-ignorable character, such as a zero-width space, a mark of direction or a
 * soft hyphen.
 */
const VISIBLE = /[^\s\p{DI}]/u;
const VISIBLE_RUNS = /[^\s\p{DI}]+/gu;
const IGNORABLE_RUNS = /\p{DI}+/gu;

/** Whether a text counts as not supplied: it is absent, empty, or shows nothing. */
export function isBlank(text: string | null | undefined): text is '' | null | undefined {
  return text == null || !VISIBLE.test(text);
}

/** Whether the character at this place of a text is visible ASCII. */
function isPrintable(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code < 0x7f;
}

/** Removes the invisible characters at both ends. `visibleRuns` finds the runs of other characters. */
export function trimInvisible(text: string, visibleRuns = VISIBLE_RUNS): string {
  if (visibleRuns === VISIBLE_RUNS && isPrintable(text, 0) && isPrintable(text, text.length - 1))
    return text;
  // An expression that is anchored to the end of the text would take quadratic time.
  let start: number | undefined;
  let end = 0;
  for (const { index, 0: run } of text.matchAll(visibleRuns)) {
    start ??= index;
    end = index + run.length;
  }
  return text.slice(start ?? end, end);
}

/** Removes all default-ignorable characters. */
export function removeIgnorable(text: string): string {
  return text.replace(IGNORABLE_RUNS, '');
}

/** Whether PostgreSQL stores a text unchanged: it has no U+0000 and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Replaces each character that PostgreSQL cannot store by U+FFFD. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

const MARKS_AND_IGNORABLE = /[\p{M}\p{DI}]+/gu;
const APOSTROPHES = /[\u2018\u2019\u201B\u02BB\u02BC\u2032\uFF07\u00B4`]/g;
const DASHES = /[\p{Pd}\u2212\u2043]/gu;

/**
 * Folds a name to the form in which filters compare names: one case, no marks (Whangārei becomes whangarei), one kind of
 * apostrophe and of dash, single spaces. Writers and readers of the database both use it. PostgreSQL can store each result.
 */
export function fold(text: string): string {
  // Normalizing a long run of marks takes quadratic time, so remove the marks before.
  return foldCase(toStorable(text).replace(MARKS_AND_IGNORABLE, ''))
    .normalize('NFD')
    .replace(MARKS_AND_IGNORABLE, '')
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Removes the apostrophes of a folded text. */
export function dropApostrophes(folded: string): string {
  return folded.replaceAll("'", '');
}

/** Whether each word of a search begins a word of one of the texts, all folded, with its apostrophes or without. */
export function hasWords(search: string, texts: string[]): boolean {
  const words = texts.flatMap((text) => {
    const folded = fold(text);
    return splitWords(`${folded} ${dropApostrophes(folded)}`);
  });
  const wanted = splitWords(fold(search));
  return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
}

/** Whether each word of a search is a part of the text, both folded, with its apostrophes or without. */
export function hasParts(search: string, text: string): boolean {
  const folded = fold(text);
  const searched = [folded, dropApostrophes(folded)];
  const wanted = splitWords(fold(search));
  return wanted.length > 0 && wanted.every((part) => searched.some((each) => each.includes(part)));
}

/** Splits a text at everything but letters and digits. */
const splitWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const ASCII = /^[\0-\x7F]*$/;

/**
 * Makes texts equal that differ only in case (by Unicode's full case folding: ß and ss are equal) or in composition. It keeps
 * marks. The caller limits the length, since normalizing a long run of marks takes quadratic time.
 */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Upper case makes SS of ß, and I of ı, which is another letter than i. The sigma ς is σ at the end of a word.
  const parts = text.normalize('NFD').split('ı');
  const folded = parts.map((part) => part.toLowerCase().toUpperCase().toLowerCase()).join('ı');
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}

/** Counts the code points of a text, as `maxLength` of JSON Schema does. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
