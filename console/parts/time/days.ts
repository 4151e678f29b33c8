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

/** Finds the instant of a wall time, such as `2026-03-12T10:12`, in a time zone; without one, in that of the browser. */
export function toInstant(wallTime: string, timeZone: string | undefined): Date {
  const utc = Date.parse(`${wallTime}Z`);
  const first = utc - offsetMs(new Date(utc), timeZone);
  // Take the offset at that instant: it differs from the first one when the clocks change in between.
  return new Date(utc - offsetMs(new Date(first), timeZone));
}

/** Finds the instant at which a day ends in a time zone. */
export const endOfDay = (day: string, timeZone: string): string =>
  toInstant(`${addDays(day, 1)}T00:00`, timeZone).toISOString();

/** Makes the bounds of the API, which are exclusive, for a range of days, which includes both. A text that is no day sets no bound. */
export function toBounds(from: string | null, to: string | null, timeZone: string) {
  const isDay = (text: string | null): text is string =>
    !Number.isNaN(Date.parse(`${text}T00:00Z`));
  return {
    after: isDay(from)
      ? new Date(toInstant(`${from}T00:00`, timeZone).getTime() - 1).toISOString()
      : undefined,
    before: isDay(to) ? endOfDay(to, timeZone) : undefined,
  };
}

/** Returns by how many milliseconds a time zone is ahead of UTC. */
function offsetMs(at: Date, timeZone: string | undefined): number {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  // `Intl` writes the year 26 with two digits, which the parser does not read.
  const local = Date.parse(`${text.replace(' ', 'T').padStart(19, '0')}Z`);
  return local - Math.floor(at.getTime() / 1_000) * 1_000;
}
