import {
  explainEmailFault,
  isUuid,
  MAX_ID,
  NIL_ID,
  parseDay,
  parseEmail,
  parseInstant,
} from '../text/index.ts';

/** A format of JSON Schema. */
interface Format {
  /** Completes the sentence `must be …` of an error. */
  description: string;
  validate: (text: string) => boolean;
  /** Says why a text is not valid. */
  explain?: (text: string) => string | undefined;
  /** Converts a valid text to the form that the database stores. */
  toStored: (text: string) => string | null;
}

export const FORMATS: Record<string, Format> = {
  uuid: {
    description: 'a UUID',
    validate: (text) => isUuid(text) && !isListBound(text),
    explain: (text) => (isListBound(text) ? 'this one cannot be the id of a row' : undefined),
    toStored: (text) => text.toLowerCase(),
  },
  'idn-email': {
    description: 'an email address such as aroha@example.com',
    validate: (text) => parseEmail(text) !== null,
    explain: explainEmailFault,
    toStored: parseEmail,
  },
  'time-zone': {
    description: 'an IANA time zone such as Pacific/Auckland',
    validate: (text) => toTimeZone(text) !== null,
    toStored: toTimeZone,
  },
  currency: {
    description: 'an ISO 4217 currency code such as NZD',
    validate: (text) => CURRENCIES.has(text),
    toStored: (text) => text,
  },
  date: {
    description: 'a date such as 2027-06-30',
    validate: (text) => toDay(text) !== null,
    toStored: toDay,
  },
  'date-time': {
    description: 'an ISO 8601 date-time with Z or an offset, such as 2026-03-31T21:15:09.204Z',
    validate: (text) => toInstant(text) !== null,
    // A field may accept dates as well as instants.
    toStored: (text) => toDay(text) ?? toInstant(text),
  },
};

/** Returns whether a list begins after this id: no page would have its row. */
function isListBound(text: string): boolean {
  return text === NIL_ID || text.toLowerCase() === MAX_ID;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Converts the name of a time zone to its canonical spelling. Returns null for a text that is not a name, such as an offset. */
function toTimeZone(text: string): string | null {
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

// ISO 8601 writes years with four digits, and PostgreSQL has no year 0.
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Converts a date without a time to the instant at which it begins in UTC. Returns null for any other text. */
function toDay(text: string): string | null {
  return toIso(parseDay(text));
}

/** Converts an ISO 8601 date-time to UTC with milliseconds. Returns null for any other text. */
function toInstant(text: string): string | null {
  return toIso(parseInstant(text));
}

function toIso(ms: number | null): string | null {
  return ms === null || ms < EARLIEST_MS || ms > LATEST_MS ? null : new Date(ms).toISOString();
}
