/** Whether a text counts as not supplied: absent, empty or white space alone. */
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
 * The form in which filters compare names: without case, marks (Whangārei, composed or decomposed, is
 * whangarei) and runs of spaces. Writers and readers both use it; the result is always storable.
 */
export function fold(text: string): string {
  return toStorable(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** A text without regard to case and composition; its marks stay. */
export function ignoreCase(text: string): string {
  // Lower-casing can decompose a letter (İ), hence the second normalisation.
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/** The length of a text in code points, as JSON Schema counts it. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
