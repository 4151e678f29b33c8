import { readTimeZone } from '../text/format.ts';
import { toInstant } from './days.ts';

/** Formats an instant for a time field: the wall time in the account's time zone, such as `2026-03-12T10:12`. */
export function toWallTime(at: Date): string {
  // The Swedish locale writes dates and times as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: readTimeZone(),
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(at).replace(' ', 'T');
}

/** Finds the instant of a wall time in the account's time zone. */
export const fromWallTime = (text: string): Date => toInstant(text, readTimeZone());
