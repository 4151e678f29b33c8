import { DAY_MS } from '../../platform/text/index.ts';

/** The order of day, month and year in a date of three numbers. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const NUMBERS = /^(\d{1,4})[./\- ](\d{1,2})[./\- ](\d{1,4})(?!\d)/;
const DAY_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?[.,\s/-]+(\p{L}{3,9})\.?[,\s/-]+(\d{4}|\d{2})(?!\d)/iu;
const MONTH_DAY = /^(\p{L}{3,9})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?[,\s-]+(\d{4}|\d{2})(?!\d)/iu;
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i;
const TIME =
  /^(?:,?\s*(?:at\s+)?|T)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Spreadsheets count days from this one. */
const SPREADSHEET_EPOCH_MS = Date.UTC(1899, 11, 30);
const SPREADSHEET_DAY = /^\d{5}(?:[.,]\d+)?$/;
const SPREADSHEET_DAY_MIN = 20_000;
const SPREADSHEET_DAY_MAX = 80_000;

/** A year of two digits below this is in the 2000s; others are in the 1900s. */
const CENTURY_PIVOT = 70;

/** The dates of a file are in the past. Its time zone is unknown, so a date may be this much in the future. */
const TIME_ZONE_SLACK_MS = DAY_MS;

/** Finds the latest instant that a date of a file can mean. */
export function findLatestMs(now: Date): number {
  return now.getTime() + TIME_ZONE_SLACK_MS;
}

/** The instant of a cell in each order in which it is a date. An unambiguous date has the same instant in each order. */
type Reading = Partial<Record<DateOrder, number>>;

/**
 * Reads a date or a date-time of a cell in each order. A time without a zone is in UTC, and so is the start of a date without a
 * time. Leaves out instants after `latestMs`.
 */
export function readDate(text: string, latestMs: number): Reading {
  const trimmed = text.trim().replace(WEEKDAY, '');
  const readings = readDay(trimmed) ?? {};
  return Object.fromEntries(Object.entries(readings).filter(([, ms]) => ms <= latestMs));
}

function readDay(text: string): Reading | null {
  if (SPREADSHEET_DAY.test(text)) return readSpreadsheetDay(Number(text.replace(',', '.')));
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) return readNumbers(numbers, text);
  const [, day, monthOfDay, year] = DAY_MONTH.exec(text) ?? [];
  if (day !== undefined) return readNamed([day, monthOfDay, year], text, DAY_MONTH);
  const [, month, dayOfMonth, yearOfMonth] = MONTH_DAY.exec(text) ?? [];
  if (month !== undefined) return readNamed([dayOfMonth, month, yearOfMonth], text, MONTH_DAY);
  return null;
}

function readSpreadsheetDay(days: number): Reading | null {
  if (days < SPREADSHEET_DAY_MIN || days > SPREADSHEET_DAY_MAX) return null;
  return inEachOrder(Math.round(SPREADSHEET_EPOCH_MS + days * DAY_MS));
}

function readNumbers([matched, a = '', b = '', c = '']: RegExpExecArray, text: string): Reading {
  const timeMs = readTime(text.slice(matched.length));
  const at = (year: string, month: string, day: string) =>
    timeMs === null ? NaN : toMs(toYear(year), Number(month), Number(day)) + timeMs;
  // A year of four digits comes first only in year-month-day order, as in ISO 8601.
  if (a.length === 4) return inEachOrder(at(a, b, c));
  const withYearLast = { dmy: at(c, b, a), mdy: at(c, a, b) };
  return c.length === 4 ? withYearLast : { ...withYearLast, ymd: at(a, b, c) };
}

function readNamed(
  [day = '', month = '', year = '']: (string | undefined)[],
  text: string,
  pattern: RegExp,
): Reading | null {
  const timeMs = readTime(text.replace(pattern, ''));
  const index = findMonth(month.toLowerCase());
  if (timeMs === null || index === -1) return null;
  return inEachOrder(toMs(toYear(year), index + 1, Number(day)) + timeMs);
}

function findMonth(name: string): number {
  const index = MONTH_NAMES.indexOf(name);
  return index === -1 ? MONTHS.indexOf(name.replace(/^sept$/, 'sep')) : index;
}

function inEachOrder(ms: number): Reading {
  return { dmy: ms, mdy: ms, ymd: ms };
}

// Returns NaN for one or three digits.
function toYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return digits.length === 2 ? year + (year < CENTURY_PIVOT ? 2000 : 1900) : NaN;
}

function toMs(year: number, month: number, day: number): number {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame && year >= 1900 ? ms : NaN;
}

/** Reads the time after a date to milliseconds of the day in UTC. Returns null for any other text. */
function readTime(text: string): number | null {
  if (text.trim() === '') return 0;
  const [matched, hour = '', minute = '', second = '0', fraction = '', half, zone = ''] =
    TIME.exec(text) ?? [];
  if (matched === undefined) return null;
  const hours = toHours(Number(hour), half?.toLowerCase());
  if (hours === null || Number(minute) > 59 || Number(second) > 59) return null;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + ms - toOffsetMs(zone);
}

function toHours(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

function toOffsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offsetMinutes = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return (sign === '-' ? -1 : 1) * offsetMinutes * 60_000;
}
