import { ignoreCase } from './text.ts';

/** Composition of a run of marks takes time that grows with its square. No valid label is longer than this. */
const COMPOSED_MAX_LENGTH = 1_000;

/**
 * A tag's label as it is shown: NFC, trimmed, with single spaces inside. A text that is too long for a label is not
 * composed.
 */
export function normalizeLabel(text: string): string {
  const spaced = text.trim().replace(/\s+/gu, ' ');
  return spaced.length > COMPOSED_MAX_LENGTH ? spaced : spaced.normalize('NFC');
}

/** Two labels with the same key are one tag: case does not count, marks do. */
export function labelKey(label: string): string {
  return ignoreCase(label);
}
