import { fold } from '../../../platform/text/index.ts';

const YES = new Set(['true', 't', 'yes', 'y', '1', 'x', 'on', '✓', '✔', 'checked']);
const NO = new Set(['false', 'f', 'no', 'n', '0', 'off', 'unchecked', 'never', 'none']);

/** Reads a yes or a no of a cell; null for any other text. */
export function readFlag(text: string): boolean | null {
  const word = fold(text);
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}

/** The words of a consent that say that a person may be reached. */
const CONSENTED = new Set(['subscribed', 'opted in', 'opt in', 'allowed', 'unknown', 'not set']);

/**
 * Whether a cell of a column such as "Unsubscribed" means yes. Any text other than a no means yes, such as the date of the
 * change.
 */
export function readOptOut(text: string): boolean {
  return readFlag(text) !== false && !CONSENTED.has(fold(text));
}
