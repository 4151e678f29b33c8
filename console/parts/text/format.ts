/** The locale of dates, numbers and money. The language of the console is English. */
export const LANGUAGE = 'en-NZ';

let timeZone: string | undefined;

/** Sets the time zone of the account. The console shows all times in it, wherever the person is. */
export function setTimeZone(zone: string): void {
  timeZone = zone;
}

/** Returns the time zone of the account; undefined until it is known. */
export const readTimeZone = (): string | undefined => timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(at: Date | string, options: Intl.DateTimeFormatOptions): string {
  const name = JSON.stringify([timeZone, options]);
  let found = formats.get(name);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(LANGUAGE, { ...options, timeZone });
    formats.set(name, found);
  }
  return found.format(new Date(at));
}

/** Formats a day, such as "12 March 2026". */
export const formatDay = (at: Date | string): string =>
  format(at, { day: 'numeric', month: 'long', year: 'numeric' });

/** Formats a day, such as "12 Mar 2026". */
export const formatShortDay = (at: Date | string): string =>
  format(at, { day: 'numeric', month: 'short', year: 'numeric' });

/** Formats a time, such as "12 March 2026, 10:12 am". */
export const formatTime = (at: Date | string): string =>
  format(at, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });

/** Formats a time, such as "12 Mar 2026, 10:12 am". */
export const formatShortTime = (at: Date | string): string =>
  `${formatShortDay(at)}, ${formatClock(at)}`;

/** Formats a time of day, such as "10:12 am". */
export const formatClock = (at: Date | string): string =>
  format(at, { hour: 'numeric', minute: '2-digit' });

const lists = new Intl.ListFormat(LANGUAGE);

/** Formats a list, such as "A, B and C". */
export const formatList = (items: readonly string[]): string => lists.format(items);

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat(LANGUAGE);

/** Formats a time relative to now as a text of its own, such as "2 days ago" or "Now". */
export function formatAgo(at: Date | string): string {
  const words = formatAgoInSentence(at);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats a time relative to now within a sentence, such as "2 days ago" or "now". */
export function formatAgoInSentence(at: Date | string, now = new Date()): string {
  const seconds = (new Date(at).getTime() - now.getTime()) / 1_000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return 'now';
}

const numbers = new Intl.NumberFormat(LANGUAGE);
export const formatNumber = (value: number): string => numbers.format(value);

const currencies = new Map<string, Intl.NumberFormat>();

let accountCurrency = 'NZD';

/** Sets the currency of the account, which is that of sums without a currency of their own. An account without one has that of its country. */
export function setCurrency(currency: string | null, zone: string): void {
  const next = currency ?? (zone.startsWith('Australia/') ? 'AUD' : 'NZD');
  if (next !== accountCurrency) currencies.clear();
  accountCurrency = next;
}

/** Names the currencies of several countries apart: `NZ$`, `A$`, `US$`. */
const WORLD = 'en-001';

/** Formats an amount, such as "$842,000". Only the dollar of the account is a plain `$`; in New Zealand, an Australian one is `A$`. */
export function formatMoney(value: number, currency = accountCurrency): string {
  let found = currencies.get(currency);
  if (found === undefined) {
    try {
      found = new Intl.NumberFormat(WORLD, {
        style: 'currency',
        currency,
        currencyDisplay: currency === accountCurrency ? 'narrowSymbol' : 'symbol',
        maximumFractionDigits: 2,
        trailingZeroDisplay: 'stripIfInteger',
      });
    } catch {
      // The API accepts any text as a currency, and `Intl` throws for an unknown one.
      return `${currency} ${formatNumber(value)}`;
    }
    currencies.set(currency, found);
  }
  return found.format(value);
}

/** Formats a number with its noun, such as "1 person" or "2,341 people". */
export const formatCount = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
