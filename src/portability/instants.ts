import { parseDay, parseInstant } from '../platform/text/index.ts';

// What both ISO 8601 in four digits and PostgreSQL can write.
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** A plain date as the instant at which it begins in UTC, or null for any other text. */
export function toDay(text: string): string | null {
  return iso(parseDay(text));
}

/** An ISO 8601 date-time in UTC with milliseconds, or null for any other text. */
export function toInstant(text: string): string | null {
  return iso(parseInstant(text));
}

function iso(ms: number | null): string | null {
  return ms === null || ms < EARLIEST || ms > LATEST ? null : new Date(ms).toISOString();
}
