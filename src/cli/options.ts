import { InvalidArgumentError } from 'commander';
import { isBlank, parseDay, parseInstant } from '../platform/text/index.ts';

const KEY_NAME_MAX_LENGTH = 100;
const PERSON_NAME_MAX_LENGTH = 1_000;

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
  if (isNameLine(name, KEY_NAME_MAX_LENGTH)) return name;
  throw new InvalidArgumentError(
    `It must say what the key is for, in at most ${KEY_NAME_MAX_LENGTH} characters on one line.`,
  );
}

/** Parses `--name` of a person. */
export function parsePersonName(name: string): string {
  if (isNameLine(name, PERSON_NAME_MAX_LENGTH)) return name;
  throw new InvalidArgumentError('It must be a name of at most 1,000 characters on one line.');
}

function isNameLine(text: string, maxLength: number): boolean {
  const isOneLine = text.isWellFormed() && !/\p{Cc}/u.test(text);
  return isOneLine && !isBlank(text) && text.length <= maxLength;
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
