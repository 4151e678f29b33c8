import { readTimeZone } from './format.ts';

const MINUTE_MS = 60_000;

/** Formats an instant for a time field: the wall time in the account's time zone, such as `2026-03-12T10:12`. */
export function toWallTime(at: Date): string {
  const timeZone = readTimeZone();
  // The Swedish locale writes dates and times as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...(timeZone && { timeZone }),
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(at).replace(' ', 'T');
}

/** Finds the instant of a wall time in the account's time zone. */
export function fromWallTime(text: string): Date {
  const asUtcMs = Date.parse(`${text}Z`);
  // The first guess may have another offset than the result, around a change of the clocks.
  const guessMs = asUtcMs - offsetAt(asUtcMs);
  return new Date(asUtcMs - offsetAt(guessMs));
}

function offsetAt(ms: number): number {
  const minuteMs = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${toWallTime(new Date(minuteMs))}Z`) - minuteMs;
}
