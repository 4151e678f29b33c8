/** Days and instants of a time zone. A day is a text such as `2026-03-12`. */

const DAY_MS = 86_400_000;

/** Finds the day of an instant in a time zone. */
export function toDay(at: Date, timeZone: string): string {
  // The Swedish locale writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
}

/** Adds a number of days, which may be negative, to a day. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Finds the instant at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const first = utc - offsetMs(new Date(utc), timeZone);
  // Take the offset at that instant: it differs from the first one when the clocks change in between.
  return new Date(utc - offsetMs(new Date(first), timeZone));
}

/** Returns by how many milliseconds a time zone is ahead of UTC. */
function offsetMs(at: Date, timeZone: string): number {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(at.getTime() / 1_000) * 1_000;
}
