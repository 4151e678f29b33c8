import { isEmail, isUuid, parseDay, parseInstant } from '../text/index.ts';

/** A format of JSON Schema: whether a text has it, which texts have it in words, and how such a text is stored. */
interface Format {
  words: string;
  validate: (text: string) => boolean;
  toStored: (text: string) => string | null;
}

export const FORMATS: Record<string, Format> = {
  uuid: { words: 'a UUID', validate: isUuid, toStored: (text) => text.toLowerCase() },
  'idn-email': {
    words: 'an email address such as aroha@example.com, of at most 254 characters',
    validate: (text) => isEmail(text.trim()),
    toStored: (text) => text.trim(),
  },
  date: {
    words: 'a date such as 2027-06-30',
    validate: (text) => toDay(text) !== null,
    toStored: toDay,
  },
  'date-time': {
    words: 'an ISO 8601 date-time with Z or an offset, such as 2026-03-31T21:15:09.204Z',
    validate: (text) => toInstant(text) !== null,
    // A field may take dates as well as instants.
    toStored: (text) => toDay(text) ?? toInstant(text),
  },
};

// ISO 8601 with four digits for the year and PostgreSQL can both write these.
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A plain date as the instant at which it begins in UTC, or null for any other text. */
function toDay(text: string): string | null {
  return toIso(parseDay(text));
}

/** An ISO 8601 date-time in UTC with milliseconds, or null for any other text. */
function toInstant(text: string): string | null {
  return toIso(parseInstant(text));
}

function toIso(ms: number | null): string | null {
  return ms === null || ms < EARLIEST_MS || ms > LATEST_MS ? null : new Date(ms).toISOString();
}
