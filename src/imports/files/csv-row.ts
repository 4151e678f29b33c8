import { isBlank } from '../../platform/text/index.ts';

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

const TORN =
  'The row has a quoted cell that goes over a line end and has text after its closing quote';
const UNDOUBLED = 'The row has quotes in a quoted cell that are not doubled: its cells are unclear';
const STRAY = 'The row opens a quote within a cell: its cells are unclear';
const BACKSLASH =
  'The row has a backslash before a quote: it is unclear whether its cell ends there';

const UNCLEAR_QUOTES_MAX = 100;
const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH_CODE = 0x5c;
const NO_BREAK_SPACE = 0xa0;
const LINE_END = /[\r\n]/g;

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
  const delimiterCode = delimiter.charCodeAt(0);
  const escape = `\\${delimiter}`;
  const cell = `(?:"[^"]*(?:""[^"]*)*"|[^"${escape}\\r\\n]*)`;
  const wellQuoted = new RegExp(`^(?:${escape}${cell})*(?:${escape}"[^"]*(?:""[^"]*)*)?$`);
  /** Whether cells, each after a delimiter, have quotes only around them or doubled within them. The last one may be open. */
  const isWellQuoted = (cells: string) => wellQuoted.test(cells.trimEnd());
  // The text, and what is known of its row. All functions below share these. Each `scan…` function adds a cell, moves `at` to
  // its end, and returns true; or false, when the cell may continue after the text.
  let text = '';
  let isLast = true;
  let at = 0;
  let cells: string[] = [];
  let fault: string | null = null;
  let unclearQuotes = 0;

  function scanRow(): ScannedRow | null {
    while (scanCell())
      if (text.charCodeAt(at) === delimiterCode) at += 1;
      else return findLineEnd(text, at, isLast) === -1 ? null : { cells, end: at, fault };
    return null;
  }

  /** Reads a cell, up to the delimiter or line end after it. Returns false when the text ends before. */
  function scanCell(): boolean {
    const first = skipBlanks(at);
    return text.charCodeAt(first) === QUOTE ? scanQuoted(first) : scanPlain();
  }

  function scanPlain(): boolean {
    let end = at;
    let hasQuote = false;
    for (; !isCellEnd(end); end += 1) {
      if (end >= text.length) return false;
      hasQuote ||= text.charCodeAt(end) === QUOTE;
    }
    const cell = text.slice(at, end);
    if (!hasQuote || !opensQuote(cell)) return addCell(cell, end);
    const lineEnd = findLineEnd(text, end, isLast);
    if (lineEnd === -1) return false;
    const isAlone = !text.slice(end, lineEnd).includes('"');
    return isAlone ? addCell(cell, end) : refuse(STRAY, lineEnd);
  }

  function scanQuoted(open: number): boolean {
    let value = '';
    let from = open + 1;
    let isInEscapes = false;
    for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      const isDoubled = text.charCodeAt(quote + 1) === QUOTE;
      const isEscaped = isAfterBackslash(quote, open);
      const next = skipBlanks(quote + (isEscaped && isDoubled ? 2 : 1));
      if (!isWithinText(next)) return false;
      const isEnd = isCellEnd(next);
      if (isEscaped && isEnd && !isInEscapes) return scanAfterBackslash(value, from, quote, next);
      if (isEscaped && isEnd && isDoubled)
        return addCell(`${value}${text.slice(from, quote - 1)}"`, next);
      if (isEscaped && !isDoubled) {
        value += `${text.slice(from, quote - 1)}"`;
        from = quote + 1;
        isInEscapes = !isInEscapes;
      } else if (isDoubled) {
        value += text.slice(from, quote + 1);
        from = quote + 2;
        quote += 1;
      } else if (isEnd) return addCell(value + text.slice(from, quote), next);
      else return scanAfterBareQuote(open, quote);
    }
    return false;
  }

  /**
   * Decides how a cell goes on after a backslash, a quote and the end of a cell. If there is a second quote, the first can be a
   * doubled quote, and the cell continues. The rest of the line decides, as only one reading leaves its other cells well quoted;
   * at the end of a line, the next line decides.
   */
  function scanAfterBackslash(value: string, from: number, quote: number, end: number): boolean {
    const lineEnd = findLineEnd(text, end, isLast);
    if (lineEnd === -1) return false;
    if (hasTooManyUnclearQuotes()) return refuse(BACKSLASH, lineEnd);
    const isDoubled = text.charCodeAt(quote + 1) === QUOTE;
    const nextLine = isDoubled || end < lineEnd ? '' : findNextLine(lineEnd);
    if (nextLine === null) return false;
    if (!isWellQuoted(delimiter + nextLine)) return refuse(BACKSLASH, lineEnd);
    const isEnd = isWellQuoted(text.slice(end, lineEnd));
    const closing = isDoubled ? findDoubledEnd(quote + 2, lineEnd) : -1;
    if (isEnd === (closing !== -1) || closing === lineEnd) return refuse(BACKSLASH, lineEnd);
    if (closing !== -1) return addCell(value + unquote(text.slice(from, closing)), closing + 1);
    const last = isDoubled ? `${text.slice(from, quote - 1)}"` : text.slice(from, quote);
    return addCell(value + last, end);
  }

  /** Finds the line after a line end; null when the text may continue before the end of that line. */
  function findNextLine(lineEnd: number): string | null {
    const start = lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1);
    const end = findLineEnd(text, start, isLast);
    return end === -1 ? null : text.slice(start, end);
  }

  /** Finds the quote that ends a cell with doubled quotes, or the line end; -1: the cells after it are not well quoted. */
  function findDoubledEnd(from: number, lineEnd: number): number {
    for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      if (quote >= lineEnd) return lineEnd;
      if (text.charCodeAt(quote + 1) === QUOTE) quote += 1;
      else return isWellQuoted(text.slice(quote + 1, lineEnd)) ? quote : -1;
    }
    return lineEnd;
  }

  /** Ends a quoted cell that contains a quote which is neither doubled nor escaped. */
  function scanAfterBareQuote(open: number, quote: number): boolean {
    const lineEnd = findLineEnd(text, quote, isLast);
    if (lineEnd === -1) return false;
    if (/[\r\n]/.test(text.slice(open, quote))) return refuse(TORN, lineEnd);
    if (hasTooManyUnclearQuotes()) return refuse(UNDOUBLED, lineEnd);
    const delimiterAt = text.indexOf(delimiter, quote);
    const end = delimiterAt === -1 ? lineEnd : Math.min(delimiterAt, lineEnd);
    const closing = findClosing(quote + 1, lineEnd);
    if (closing === -1) return addCell(text.slice(open, end), end);
    const value = unquote(text.slice(open + 1, closing));
    const isOdd = countQuotes(value) % 2 === 1 && countQuotes(text.slice(end, lineEnd)) % 2 === 1;
    return closing > end || isOdd ? refuse(UNDOUBLED, lineEnd) : addCell(value, end);
  }

  /** Finds the first quote that ends a cell; -1 when the line has none. */
  function findClosing(from: number, lineEnd: number): number {
    for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      if (quote >= lineEnd) return -1;
      if (text.charCodeAt(quote + 1) === QUOTE) quote += 1;
      else if (isCellEnd(skipBlanks(quote + 1))) return quote;
    }
    return -1;
  }

  // Give up: for each unclear quote the whole line is read, which may have a megabyte.
  function hasTooManyUnclearQuotes(): boolean {
    unclearQuotes += 1;
    return unclearQuotes > UNCLEAR_QUOTES_MAX;
  }

  function addCell(cell: string, end: number): true {
    cells.push(cell);
    at = end;
    return true;
  }

  function refuse(reason: string, lineEnd: number): true {
    fault = reason;
    return addCell(text.slice(at, lineEnd), lineEnd);
  }

  function isCellEnd(position: number): boolean {
    if (position >= text.length) return isLast;
    const code = text.charCodeAt(position);
    return code === delimiterCode || code === LF || code === CR;
  }

  function isWithinText(position: number): boolean {
    return isLast || position < text.length;
  }

  function skipBlanks(from: number): number {
    let position = from;
    while (isBlankCode(text.charCodeAt(position))) position += 1;
    return position;
  }

  /** Whether a character is white space that can stand beside a quote. */
  function isBlankCode(code: number): boolean {
    if (code === SPACE) return true;
    if (code === delimiterCode || code === LF || code === CR) return false;
    return code === TAB || (code >= NO_BREAK_SPACE && isBlank(String.fromCharCode(code)));
  }

  function isAfterBackslash(quote: number, open: number): boolean {
    let first = quote;
    while (first - 1 > open && text.charCodeAt(first - 1) === BACKSLASH_CODE) first -= 1;
    return (quote - first) % 2 === 1;
  }

  return (newText, start, newIsLast) => {
    text = newText;
    isLast = newIsLast;
    at = start;
    cells = [];
    fault = null;
    unclearQuotes = 0;
    return scanRow();
  };
}

/** Finds the next line end; -1 when the text may continue before it, or between its CR and LF. */
function findLineEnd(text: string, from: number, isLast: boolean): number {
  LINE_END.lastIndex = from;
  const end = LINE_END.exec(text)?.index ?? text.length;
  return isLast || end + 1 < text.length || text.charCodeAt(end) === LF ? end : -1;
}

function unquote(text: string): string {
  return text.replaceAll('""', '"');
}

function countQuotes(text: string): number {
  return text.split('"').length - 1;
}

/** Whether the last quote of a cell opens a quotation, as in `about "Lot`. A quote after a digit means inches: `6' 2"`. */
function opensQuote(cell: string): boolean {
  return countQuotes(cell) % 2 === 1 && /[\s=\\]"[^\s"][^"]*$/.test(cell);
}
