const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;
const MINUTE_MS = 60_000;
// What both ISO 8601 in four digits and PostgreSQL can write.
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** A plain date as the instant at which it begins in UTC, or null for any other text. */
export function toDay(text: string): string | null {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return null;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // Date.parse takes 31 February for a day in March.
  if (Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(day)) return null;
  return Number(month) > 12 ? null : iso(ms);
}

/**
 * An ISO 8601 date-time with `Z` or an offset in UTC with milliseconds, or null for any other text. Digits
 * beyond the millisecond are cut off.
 */
export function toInstant(text: string): string | null {
  const [
    ,
    date = '',
    hours,
    minutes,
    seconds = 0,
    fraction = '',
    sign,
    offsetHours = 0,
    offsetMinutes = 0,
  ] = INSTANT.exec(text) ?? [];
  const day = toDay(date);
  if (day === null || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return null;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const offset = Number(offsetHours) * 60 + Number(offsetMinutes);
  const minute = Number(hours) * 60 + Number(minutes) + (sign === '-' ? offset : -offset);
  const ms = Number(seconds) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return iso(Date.parse(day) + minute * MINUTE_MS + ms);
}

function iso(ms: number): string | null {
  return ms < EARLIEST || ms > LATEST ? null : new Date(ms).toISOString();
}
