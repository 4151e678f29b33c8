export const HOUR_MS = 60 * 60 * 1_000;
export const DAY_MS = 24 * HOUR_MS;

const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?`;
const OFFSET = String.raw`(?:Z|([+-])(\d\d)(?::?(\d\d))?)`;
const INSTANT = new RegExp(`^${DATE}T${TIME}${OFFSET}$`, 'i');

/**
 * Parses an ISO 8601 date-time (extended format, with `Z` or an offset) to milliseconds since 1970. Returns null for any
 * other text. Drops the digits after the millisecond, since stored times have whole milliseconds.
 */
export function parseInstant(text: string): number | null {
  const [matched, ...groups] = INSTANT.exec(text) ?? [];
  if (matched === undefined) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = groups
    .slice(0, 6)
    .map((digits) => Number(digits ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > countDays(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offsetMinutes = parseOffset(groups[7], groups[8], groups[9]);
  if (offsetMinutes === null) return null;
  const date = new Date(0);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offsetMinutes, second, readMilliseconds(groups[6]));
  return date.getTime();
}

/** The first year that PostgreSQL reads in ISO 8601. */
const FIRST_YEAR = '0001';

/** Returns whether a text is a time as the service writes it: in UTC with milliseconds. PostgreSQL reads each such time. */
export function isWrittenInstant(text: string): boolean {
  const ms = parseInstant(text);
  return ms !== null && text >= FIRST_YEAR && new Date(ms).toISOString() === text;
}

/** Converts a time that a schema has checked. The database gets a Date, since PostgreSQL knows fewer offsets than ISO 8601. */
export function toDate(time: string): Date {
  return new Date(parseInstant(time) ?? NaN);
}

function countDays(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function parseOffset(
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): number | null {
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return null;
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -offset : offset;
}

function readMilliseconds(fraction = ''): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Parses an ISO 8601 date without a time to the milliseconds at which it begins in UTC. Returns null for any other text. */
export function parseDay(text: string): number | null {
  return DAY.test(text) ? parseInstant(`${text}T00:00:00Z`) : null;
}

/** Restores the + of an offset: a query string with an unescaped + has a space there. */
export function restoreOffsetPlus(text: string): string {
  return text.replace(/ (?=\d\d(?::?\d\d)?$)/, '+');
}
