import { escapeControls, escapeLine, formatCount } from '../platform/text/index.ts';
import { CommandError, WRITE_REASONS } from './command-error.ts';

/*
 * Every command prints through this file. `write` replaces control characters by their codes, so that no text from outside can
 * control a terminal.
 */

/** An error of writing to stdout. */
export class OutputError extends CommandError {
  /** Whether the reader closed the pipe because it has read enough (`| head`), which is not a fault. */
  readonly isClosedPipe: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(`stdout cannot be written: ${WRITE_REASONS[cause.code ?? ''] ?? cause.code}`);
    this.isClosedPipe = cause.code === 'EPIPE';
  }
}

/** Writes a result to stdout, and waits until the reader has read it. The text may have several lines. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(escapeControls(text), (error) =>
      error ? reject(new OutputError(error)) : resolve(),
    );
  });
}

/** Writes a secret that is shown once. When it cannot be written, the error says how to get another one. */
export async function printSecret(secret: string, remedy: string): Promise<void> {
  try {
    await print(`${secret}\n`);
  } catch (error) {
    throw new CommandError(`${(error as Error).message}. ${remedy}`);
  }
}

/** Returns whether stdout is a terminal. */
export function isStdoutTerminal(): boolean {
  return process.stdout.isTTY;
}

/** Writes bytes to stdout for another program, and waits until it has read them. The caller checks that no terminal gets them. */
export function printBytes(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(new OutputError(error)) : resolve()));
  });
}

/** Prints lines. It escapes line breaks, so that a text from outside cannot begin another line. */
export function printLines(lines: string[]): Promise<void> {
  return print(lines.map((line) => `${escapeLine(line)}\n`).join(''));
}

// `print` reports this error; without a listener the event would end the process.
process.stdout.on('error', () => undefined);
// When stderr cannot be written, go on: the message has no other place.
process.stderr.on('error', () => undefined);

/** Prints a value to stdout as indented JSON, for `--json`. */
export function printJson(value: object): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints one JSON array, page by page. */
export async function printJsonPages(pages: AsyncIterable<object[]>): Promise<void> {
  let opening = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    // Print the page without the brackets of its own array.
    await print(opening + JSON.stringify(page, null, 2).slice(1, -2));
    opening = ',';
  }
  await print(opening === '[' ? '[]\n' : '\n]\n');
}

/** Prints a table to stdout, with its columns in line. */
export function printTable(headings: string[], rows: string[][]): Promise<void> {
  return print(formatTable([headings, ...rows]));
}

/** Formats rows as lines with aligned columns. A line break in a cell does not begin a new line. */
export function formatTable(cells: string[][]): string {
  const rows = cells.map((row) => row.map(escapeLine));
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
  const formatRow = (row: string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `${formatRow(row).trimEnd()}\n`).join('');
}

/** Writes a line for people to stderr. */
export function say(line: string): void {
  process.stderr.write(`${escapeLine(line)}\n`);
}

/** Returns whether stderr is a terminal. */
export function isTerminal(): boolean {
  return process.stderr.isTTY;
}

/** Writes a line of progress over the last one, on stderr. */
export function redrawLine(line: string, isEnd: boolean): void {
  process.stderr.write(`\r${escapeLine(line)}\x1b[K${isEnd ? '\n' : ''}`);
}

/** Writes a line of progress to stderr, when that is a terminal. */
export function sayOnTerminal(line: string): void {
  if (isTerminal()) say(line);
}

/** Formats a number of things: `1 contact`, `12,000 contacts`. */
export function formatAmount(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Formats a time as ISO 8601; `-` for null. */
export function formatTime(date: Date | null): string {
  return date?.toISOString() ?? '-';
}

/** Formats seconds as people read them: `0.4 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const wholeSeconds = Math.ceil(seconds);
  if (wholeSeconds < 60) return `${wholeSeconds} s`;
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`;
  return `${Math.floor(wholeSeconds / 3600)} h ${Math.floor((wholeSeconds % 3600) / 60)} min`;
}
