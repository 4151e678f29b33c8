/** Whether a text counts as not supplied: it is absent, empty, or only white space. */
export function isBlank(text: string | null | undefined): text is '' | null | undefined {
  return text == null || text.trim() === '';
}

/** Whether PostgreSQL stores a text unchanged: it has no U+0000 and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Replaces each character that PostgreSQL cannot store by U+FFFD. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * Folds a name to the form in which filters compare names: lower case, no marks (Whangārei becomes whangarei), single
 * spaces. Writers and readers of the database both use it. PostgreSQL can store each result.
 */
export function fold(text: string): string {
  return toStorable(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Makes texts equal that differ only in case or in Unicode composition. Keeps marks. */
export function normalizeCase(text: string): string {
  // Lower-casing can decompose a letter (İ), so normalize again.
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Counts the code points of a text, as `maxLength` of JSON Schema does. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
