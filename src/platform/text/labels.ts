import { foldCase, isBlank, removeIgnorable, trimInvisible } from './text.ts';

/**
 * No valid label is longer: each of its 100 characters has at most four units. Normalizing a long run of marks takes quadratic
 * time.
 */
const COMPOSED_MAX_LENGTH = 400;

// The byte order mark is invisible, though JavaScript takes it for white space.
const SPACE_RUNS = /[\s--\p{DI}]+/gv;
// A variation selector at the end of a label chooses the coloured form of a symbol, so it stays.
const LABEL_RUNS = /[^\s[\p{DI}--\p{M}]]+/gv;

/**
 * Normalizes a tag's label for display: NFC, without invisible characters at its ends, with single spaces inside. A text
 * that shows nothing becomes empty. A text that is too long for a label gets single spaces only.
 */
export function normalizeLabel(text: string): string {
  if (isBlank(text)) return '';
  const collapsed = text.trim().replace(SPACE_RUNS, ' ');
  if (collapsed.length > COMPOSED_MAX_LENGTH) return collapsed;
  return trimInvisible(collapsed, LABEL_RUNS).normalize('NFC');
}

/**
 * Makes the key of a label. Labels that differ only in case or in invisible characters have the same key; marks (é, e) make a
 * difference.
 */
export function toLabelKey(label: string): string {
  return foldCase(removeIgnorable(label)).replace(/\s+/gu, ' ').trim();
}
