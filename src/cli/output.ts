import { CommandError } from './command-error.ts';

/** An error of writing to stdout. */
export class OutputError extends CommandError {
  /** Whether the reader closed the pipe because it has read enough (`| head`). That is no fault. */
  readonly isClosedPipe: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(`stdout cannot be written: ${cause.code === 'ENOSPC' ? 'no space is left' : cause.code}`);
    this.isClosedPipe = cause.code === 'EPIPE';
  }
}

/** Writes a result to stdout, and waits until the reader has read it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputError(error)) : resolve()));
  });
}

// `print` reports this error; without a listener the event would end the process.
process.stdout.on('error', () => undefined);
// When stderr cannot be written, go on: there is no other place for the message.
process.stderr.on('error', () => undefined);

export function printJson(value: object): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints one JSON array, page by page. */
export async function printJsonPages(pages: AsyncIterable<object[]>): Promise<void> {
  let opening = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    // The page is printed without the brackets of its own array.
    await print(opening + JSON.stringify(page, null, 2).slice(1, -2));
    opening = ',';
  }
  await print(opening === '[' ? '[]\n' : '\n]\n');
}

export function printTable(headings: string[], rows: string[][]): Promise<void> {
  return print(formatTable([headings, ...rows]));
}

/** Formats rows as lines with aligned columns. */
export function formatTable(rows: string[][]): string {
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
  process.stderr.write(`${line}\n`);
}

/** Writes a line of progress to stderr, when that is a terminal. */
export function sayOnTerminal(line: string): void {
  if (process.stderr.isTTY) say(line);
}

/** Puts a text from outside on one line, and removes the control characters that a terminal would obey. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Replaces control characters by JSON escapes, so that a terminal does not obey them. */
export function escapeControls(text: string): string {
  return text.replace(
    /(?![\t\r\n])\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a number as people read it: `12,000`. */
export function formatCount(number: number): string {
  return number.toLocaleString('en');
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
