import { InvalidArgumentError } from 'commander';
import { isBlank, parseDay, parseInstant } from '../platform/text/index.ts';

const NAME_MAX_LENGTH = 100;

/** A date as the user wrote it, and the instant that it stands for. */
export interface DateOption {
  text: string;
  date: Date;
}

/** Parses `--since`. */
export function parseStartOfPeriod(text: string): DateOption {
  const atMs = parseDay(text) ?? parseInstant(text);
  if (atMs !== null) return { text, date: new Date(atMs) };
  throw new InvalidArgumentError('It must be an ISO 8601 date or date-time, such as 2027-06-30.');
}

/** Parses `--expires`. */
export function parseFutureDate(text: string): Date {
  const { date } = parseStartOfPeriod(text);
  if (date.getTime() > Date.now()) return date;
  throw new InvalidArgumentError('It must be in the future.');
}

/** Parses `--name` of a key. */
export function parseKeyName(name: string): string {
  const isOneLine = !isBlank(name) && name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (isOneLine && name.length <= NAME_MAX_LENGTH) return name;
  throw new InvalidArgumentError(
    `It must say what the key is for, in at most ${NAME_MAX_LENGTH} characters on one line.`,
  );
}

/** Parses `--name` of a person. */
export function parsePersonName(name: string): string {
  const isOneLine = !isBlank(name) && name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (isOneLine && name.length <= 1_000) return name;
  throw new InvalidArgumentError('It must be a name of at most 1,000 characters on one line.');
}

/** Parses `--encoding`. Returns the platform's name of the encoding. */
export function parseEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new InvalidArgumentError(
      `It must be the name of an encoding, such as windows-1252, macintosh or utf-16le.`,
    );
  }
}

/** Parses `--from-line` and `--header-line`. */
export function parseLineNumber(text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError('It must be the number of a line, from 1.');
}

/** Parses the new slug of an account. */
export function parseSlug(text: string): string {
  if (/^[a-z0-9-]{1,100}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be a slug: at most 100 lower-case letters, digits and hyphens.',
  );
}
