/** Whether a text counts as not supplied: absent, empty or white space alone. */
export function isBlank(text: string | null | undefined): text is '' | null | undefined {
  return text == null || text.trim() === '';
}

/** Whether PostgreSQL can hold a text exactly: it has no U+0000 and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A text as PostgreSQL can hold it: what it cannot becomes U+FFFD. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * The form in which filters compare names: without case, marks (Whangārei, composed or decomposed, is
 * whangarei) and runs of spaces. Writer and reader both use it; what it gives is always storable.
 */
export function fold(text: string): string {
  return toStorable(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The longest text that is composed; NFC leaves of a longer one more than any label may have. */
const COMPOSED_MAX_LENGTH = 1_000;

/**
 * A tag's label as it is shown: NFC, trimmed, with single spaces inside. To compose takes the square of a run of
 * marks, minutes for a body of them, so what is too long for a label stays as it was.
 */
export function normalizeLabel(text: string): string {
  const spaced = text.trim().replace(/\s+/gu, ' ');
  return spaced.length > COMPOSED_MAX_LENGTH ? spaced : spaced.normalize('NFC');
}

/** What makes two labels one tag: the label without regard to case, its marks kept. */
export function labelKey(label: string): string {
  return withoutCase(label);
}

/** What makes two emails one: the trimmed email without regard to case, its marks kept. */
export function emailKey(email: string): string {
  return withoutCase(email.trim());
}

// Lower-casing can decompose a letter (İ), hence the second pass.
function withoutCase(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

const EMAIL_MAX_LENGTH = 254;
const EMAIL = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@.]+(\.[^\s\p{Cc}@.]+)+$/u;

/** Whether a trimmed text is an email as Offplan takes it: one @, a local part, a domain with a dot. */
export function isEmail(text: string): boolean {
  return lengthOf(text) <= EMAIL_MAX_LENGTH && EMAIL.test(text);
}

/** The length of a text in characters (code points), as people and JSON Schema count it. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
