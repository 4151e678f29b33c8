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

/** Parses `--from-line`. */
export function parseLineNumber(text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError('It must be the number of a line, from 1.');
}
