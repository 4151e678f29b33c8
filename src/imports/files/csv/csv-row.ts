import { createDialect, CsvText, findLineEnd } from './csv-text.ts';
import {
  countQuotes,
  makeCell,
  readAfterBackslash,
  readAfterBareQuote,
  refuseLine,
  type Cell,
} from './unclear-quotes.ts';

/** A row that a scanner has found in a text. */
interface ScannedRow {
  cells: string[];
  /** The position after its last character, where its line end is. */
  end: number;
  /** Why it is unclear where its cells end, or null. */
  fault: string | null;
}

/**
 * Finds the row that begins at a position of a text. Returns null when the row may continue after the text (it cannot if
 * `isLast`), and when it opens a quote that is never closed.
 */
export type RowScanner = (text: string, start: number, isLast: boolean) => ScannedRow | null;

const STRAY = 'The row opens a quote within a cell: its cells are unclear';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The scanner of NDJSON: each line is one cell. */
export const scanLine: RowScanner = (text, start, isLast) => {
  const end = findLineEnd(text, start, isLast);
  return end === -1 ? null : { cells: [text.slice(start, end)], end, fault: null };
};

/**
 * Creates the scanner of CSV. It reads rows as the systems that wrote them mean it: it ignores white space beside a quote; a
 * quote within a quoted cell is doubled or follows a backslash; a quote within any other cell is a character. A row that can be
 * read in two ways has a fault, and ends with its line, so that no value gets into another column.
 */
export function createRowScanner(delimiter: string): RowScanner {
  const dialect = createDialect(delimiter);
  return (text, start, isLast) => scanRow(new CsvText(text, isLast, dialect), start);
}

function scanRow(csv: CsvText, start: number): ScannedRow | null {
  const cells: string[] = [];
  let at = start;
  for (let cell = scanCell(csv, at); cell !== null; cell = scanCell(csv, at)) {
    const { value, end, fault } = cell;
    cells.push(value ?? csv.text.slice(at, end));
    if (!csv.isDelimiter(end)) return csv.findLineEnd(end) === -1 ? null : { cells, end, fault };
    at = end + 1;
  }
  return null;
}

/** Reads a cell, up to the delimiter or line end after it. Returns null when the cell may continue after the text. */
function scanCell(csv: CsvText, start: number): Cell | null {
  const first = csv.skipBlanks(start);
  return csv.text.charCodeAt(first) === QUOTE ? scanQuoted(csv, first) : scanPlain(csv, start);
}

function scanPlain(csv: CsvText, start: number): Cell | null {
  const { text } = csv;
  const end = csv.findCellEnd(start);
  if (end === -1) return null;
  const value = text.slice(start, end);
  if (!value.includes('"') || !opensQuote(value)) return makeCell(value, end);
  const lineEnd = csv.findLineEnd(end);
  if (lineEnd === -1) return null;
  const isAlone = !text.slice(end, lineEnd).includes('"');
  return isAlone ? makeCell(value, end) : refuseLine(STRAY, lineEnd);
}

/** Whether the last quote of a cell opens a quotation, as in `about "Lot`. A quote after a digit means inches: `6' 2"`. */
function opensQuote(cell: string): boolean {
  return countQuotes(cell) % 2 === 1 && /[\s=\\]"[^\s"][^"]*$/.test(cell);
}

function scanQuoted(csv: CsvText, open: number): Cell | null {
  const { text } = csv;
  // The value of the cell before `from`.
  let value = '';
  let from = open + 1;
  // Whether a quote with a backslash has begun a quotation in the cell, and none has ended it.
  let isInQuotation = false;
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    const isDoubled = text.charCodeAt(quote + 1) === QUOTE;
    const isEscaped = isAfterBackslash(text, quote, open);
    const next = csv.skipBlanks(quote + (isEscaped && isDoubled ? 2 : 1));
    if (csv.isCutBefore(next)) return null;
    const isEnd = csv.isCellEnd(next);
    if (isEscaped && isEnd && !isInQuotation)
      return readAfterBackslash(csv, { value, from, quote }, next);
    if (isEscaped && isEnd && isDoubled)
      return makeCell(`${value}${text.slice(from, quote - 1)}"`, next);
    if (isEscaped && !isDoubled) {
      value += `${text.slice(from, quote - 1)}"`;
      from = quote + 1;
      isInQuotation = !isInQuotation;
    } else if (isDoubled) {
      value += text.slice(from, quote + 1);
      from = quote + 2;
      quote += 1;
    } else if (isEnd) return makeCell(value + text.slice(from, quote), next);
    else return readAfterBareQuote(csv, open, quote);
  }
  return null;
}

/** Whether a quote of a cell has an odd number of backslashes before it. */
function isAfterBackslash(text: string, quote: number, open: number): boolean {
  let first = quote;
  while (first - 1 > open && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
