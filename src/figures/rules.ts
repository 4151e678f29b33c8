import { TZDate } from '@date-fns/tz';
import { invalidRequest, makeParameterFault } from '../platform/http/index.ts';
import { DAY_MS } from '../platform/text/index.ts';
import type { LeadQuery } from './schemas.ts';

/** A part of a span of days: it begins at `from` and ends before `until`. */
export interface Interval {
  /** Its first day, such as 2026-11-01. */
  start: string;
  from: Date;
  until: Date;
}

const INTERVALS_MAX = 1_000;
const DAYS_DEFAULT = 30;
/** Days before the first or after the last of these are typing errors. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31'];

type Span = Pick<LeadQuery, 'from' | 'to'>;

/** Finds the first and the last day of a span. Throws a 400 when the first comes after the last. */
function findDays({ from, to }: Span, timeZone: string, now: Date): [string, string] {
  const last = to ?? formatDay(new TZDate(now.getTime(), timeZone));
  const first = from ?? addDays(last, 1 - DAYS_DEFAULT);
  const faults = Object.entries({ from: first, to: last })
    .filter(([, day]) => day < FIRST_DAY || day > LAST_DAY)
    .map(([name]) => makeParameterFault(name, `must be from ${FIRST_DAY} to ${LAST_DAY}.`));
  if (faults.length === 0 && first > last)
    faults.push(makeParameterFault('from', `must not be after to, which is ${last}.`));
  if (faults.length > 0) throw invalidRequest(faults);
  return [first, last];
}

/**
 * Finds the instant at which a span of days begins in a time zone, and the one before which it ends. Throws a 400 when it has no
 * days.
 */
export function findSpan(span: Span, timeZone: string, now: Date): { from: Date; until: Date } {
  const [first, last] = findDays(span, timeZone, now);
  const [from, until] = [first, addDays(last, 1)].map((day) => toStartOfDay(day, timeZone));
  return { from: from ?? now, until: until ?? now };
}

/**
 * Divides a span of days into intervals in a time zone. The span cuts the first and the last one short, so that together they
 * have exactly its days. Throws a 400 when there are too many, or none.
 */
export function divideSpan(
  { interval = 'day', ...span }: Span & Pick<LeadQuery, 'interval'>,
  timeZone: string,
  now: Date,
): Interval[] {
  const [first, last] = findDays(span, timeZone, now);
  const end = addDays(last, 1);
  const starts: string[] = [];
  for (let start = first; start < end; start = findNext(start, interval)) {
    starts.push(start);
    if (starts.length <= INTERVALS_MAX) continue;
    const rule = `must be at most ${INTERVALS_MAX} intervals before to; choose a later day, or a longer interval.`;
    throw invalidRequest([makeParameterFault('from', rule)]);
  }
  const instants = [...starts, end].map((day) => toStartOfDay(day, timeZone));
  return starts.map((start, at) => ({
    start,
    from: instants[at] ?? new Date(NaN),
    until: instants[at + 1] ?? new Date(NaN),
  }));
}

/** Finds the first day of the next interval. */
function findNext(day: string, interval: NonNullable<LeadQuery['interval']>): string {
  if (interval === 'day') return addDays(day, 1);
  const date = new Date(day);
  if (interval === 'week') return addDays(day, 7 - ((date.getUTCDay() + 6) % 7));
  return formatDay(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)));
}

function addDays(day: string, count: number): string {
  return formatDay(new Date(Date.parse(day) + count * DAY_MS));
}

/** Finds the instant at which a day begins. Where clocks are put forward at midnight, it is one o'clock. */
function toStartOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(new TZDate(year, month - 1, date, 0, 0, 0, 0, timeZone).getTime());
}

/** Formats the day of a date in UTC, or of a TZDate in its time zone. */
function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
