import { readTimeZone } from './format.ts';

const MINUTE_MS = 60_000;

/** A time as a field of the browser has it: the clock of the account's zone, such as "2026-03-12T10:12". */
export function toWallTime(at: Date): string {
  const timeZone = readTimeZone();
  // Sweden writes times in this order.
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...(timeZone && { timeZone }),
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(at).replace(' ', 'T');
}

/** The time that a clock of the account's zone shows. */
export function fromWallTime(text: string): Date {
  const asUtcMs = Date.parse(`${text}Z`);
  // The offset may change between the first guess and the time itself.
  const guessMs = asUtcMs - offsetAt(asUtcMs);
  return new Date(asUtcMs - offsetAt(guessMs));
}

function offsetAt(ms: number): number {
  const minuteMs = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${toWallTime(new Date(minuteMs))}Z`) - minuteMs;
}
