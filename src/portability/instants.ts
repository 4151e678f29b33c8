const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;
const MINUTE_MS = 60_000;
// What both ISO 8601 in four digits and PostgreSQL can write.
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** A plain date as the instant at which it begins in UTC, or null for any other text. */
export function toDay(text: string): string | null {
  const ms = dayMs(text);
  return ms === null ? null : iso(ms);
}

/**
 * An ISO 8601 date-time with `Z` or an offset in UTC with milliseconds, or null for any other text. Digits
 * beyond the millisecond are cut off.
 */
export function toInstant(text: string): string | null {
  const [, date = '', hours, minutes, seconds = 0, fraction = '', ...offset] =
    INSTANT.exec(text) ?? [];
  const day = dayMs(date);
  if (day === null || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return null;
  const before = offsetMinutes(offset);
  if (before === null) return null;
  const minute = Number(hours) * 60 + Number(minutes) - before;
  const ms = Number(seconds) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return iso(day + minute * MINUTE_MS + ms);
}

function dayMs(text: string): number | null {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || Number(month) > 12) return null;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // Date.parse takes 31 February for a day in March.
  return new Date(ms).getUTCDate() === Number(day) ? ms : null;
}

function offsetMinutes([sign, hours = '0', minutes = '0']: (string | undefined)[]): number | null {
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}

function iso(ms: number): string | null {
  return ms < EARLIEST || ms > LATEST ? null : new Date(ms).toISOString();
}
