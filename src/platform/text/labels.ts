import { normalizeCase } from './text.ts';

/** Normalizing a long run of marks takes quadratic time. No valid label is longer than this. */
const COMPOSED_MAX_LENGTH = 1_000;

/**
 * Normalizes a tag's label for display: NFC, trimmed, with single spaces inside. A text that is too long for a label does
 * not get NFC.
 */
export function normalizeLabel(text: string): string {
  const trimmed = text.trim().replace(/\s+/gu, ' ');
  return trimmed.length > COMPOSED_MAX_LENGTH ? trimmed : trimmed.normalize('NFC');
}

/** Makes the key of a label. Labels of one tag have the same key: case makes no difference, marks (é, e) do. */
export function toLabelKey(label: string): string {
  return normalizeCase(label);
}
