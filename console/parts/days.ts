/** Days and instants of a time zone. A day is a text such as `2026-03-12`. */

const DAY_MS = 86_400_000;

/** The day that an instant falls on. */
export function toDay(at: Date, timeZone: string): string {
  // The Swedish way to write a date is the ISO one.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
}

/** The day so many days later, or earlier. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The instant at which a day begins. */
export function startOfDay(day: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const first = utc - offsetMs(new Date(utc), timeZone);
  // The offset at that instant may be another one, where the clocks change at night.
  return new Date(utc - offsetMs(new Date(first), timeZone));
}

/** How far the clocks of a time zone are ahead of UTC. */
function offsetMs(at: Date, timeZone: string): number {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(at.getTime() / 1_000) * 1_000;
}
