import type { CsvText } from './csv-text.ts';

/*
 * Quoted cells with a quote that is neither doubled nor at their end. The other cells of the line decide what such a quote means.
 * When they leave two readings, the row has a fault, so that no value gets into another column.
 */

/** A cell, and the position after it. With a fault, it has no value, and ends with its line. */
export type Cell =
  | { value: string; end: number; fault: null }
  | { value: null; end: number; fault: string };

export const makeCell = (value: string, end: number): Cell => ({ value, end, fault: null });

export const refuseLine = (fault: string, end: number): Cell => ({ value: null, end, fault });

const TORN =
  'The row has a quoted cell that goes over a line end and has text after its closing quote';
const UNDOUBLED = 'The row has quotes in a quoted cell that are not doubled: its cells are unclear';
const BACKSLASH =
  'The row has a backslash before a quote: it is unclear whether its cell ends there';

/** The most unclear quotes in a row: for each, the whole line is read, which may have a megabyte. */
const UNCLEAR_QUOTES_MAX = 100;

/** A quote in a quoted cell that is read up to `from`. */
interface QuoteInCell {
  value: string;
  from: number;
  quote: number;
}

/**
 * Reads a cell that has a backslash, a quote and then the end of a cell, at `end`. The quote ends the cell, or, if it is doubled, the
 * cell continues; only one of these may leave the other cells of the line well quoted. At the end of a line, the next line decides.
 * Returns null when the text may continue before that.
 */
export function readAfterBackslash(
  csv: CsvText,
  { value, from, quote }: QuoteInCell,
  end: number,
): Cell | null {
  const { text } = csv;
  const { delimiter, isWellQuoted } = csv.dialect;
  const lineEnd = csv.findLineEnd(end);
  if (lineEnd === -1) return null;
  if (hasTooManyUnclearQuotes(csv)) return refuseLine(BACKSLASH, lineEnd);
  const isEnd = isWellQuoted(text.slice(end, lineEnd));

  if (text.charAt(quote + 1) === '"') {
    const closing = findSingleQuote(text, quote + 2, lineEnd);
    if (closing === -1) return refuseLine(BACKSLASH, lineEnd);
    const isDoubled = isWellQuoted(text.slice(closing + 1, lineEnd));
    if (isEnd === isDoubled) return refuseLine(BACKSLASH, lineEnd);
    return isDoubled
      ? makeCell(value + unquote(text.slice(from, closing)), closing + 1)
      : makeCell(`${value}${text.slice(from, quote - 1)}"`, end);
  }

  if (end === lineEnd) {
    const nextLine = csv.findNextLine(lineEnd);
    if (nextLine === null) return null;
    if (!isWellQuoted(delimiter + nextLine)) return refuseLine(BACKSLASH, lineEnd);
  }
  return isEnd ? makeCell(value + text.slice(from, quote), end) : refuseLine(BACKSLASH, lineEnd);
}

/**
 * Reads a quoted cell, opened at `open`, that has a quote before other text than the end of a cell. Returns null when the text may
 * continue before the end of its line.
 */
export function readAfterBareQuote(csv: CsvText, open: number, quote: number): Cell | null {
  const { text } = csv;
  const lineEnd = csv.findLineEnd(quote);
  if (lineEnd === -1) return null;
  if (/[\r\n]/.test(text.slice(open, quote))) return refuseLine(TORN, lineEnd);
  if (hasTooManyUnclearQuotes(csv)) return refuseLine(UNDOUBLED, lineEnd);
  const end = csv.findCellEnd(quote);
  const closing = findClosingQuote(csv, quote + 1, lineEnd);
  if (closing === -1) return makeCell(text.slice(open, end), end);
  const value = unquote(text.slice(open + 1, closing));
  const isOdd = countQuotes(value) % 2 === 1 && countQuotes(text.slice(end, lineEnd)) % 2 === 1;
  return closing > end || isOdd ? refuseLine(UNDOUBLED, lineEnd) : makeCell(value, end);
}

function hasTooManyUnclearQuotes(csv: CsvText): boolean {
  csv.unclearQuotes += 1;
  return csv.unclearQuotes > UNCLEAR_QUOTES_MAX;
}

/** Finds the first quote that can end a cell; -1 when the line has none. */
function findClosingQuote(csv: CsvText, from: number, lineEnd: number): number {
  let quote = findSingleQuote(csv.text, from, lineEnd);
  while (quote !== -1 && !csv.isCellEnd(csv.skipBlanks(quote + 1)))
    quote = findSingleQuote(csv.text, quote + 1, lineEnd);
  return quote;
}

/** Finds the first quote that is not doubled; -1 when the line has none. */
function findSingleQuote(text: string, from: number, lineEnd: number): number {
  let quote = text.indexOf('"', from);
  while (text.charAt(quote + 1) === '"' && quote !== -1 && quote < lineEnd)
    quote = text.indexOf('"', quote + 2);
  return quote < lineEnd ? quote : -1;
}

function unquote(text: string): string {
  return text.replaceAll('""', '"');
}

export function countQuotes(text: string): number {
  return text.split('"').length - 1;
}
