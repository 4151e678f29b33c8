import { isBlank } from '../../../platform/text/index.ts';

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const LINE_END = /[\r\n]/g;

/** The delimiter of a file, and the check that depends on it. */
export type CsvDialect = ReturnType<typeof createDialect>;

export function createDialect(delimiter: string) {
  const escaped = `\\${delimiter}`;
  const cell = `(?:"[^"]*(?:""[^"]*)*"|[^"${escaped}\\r\\n]*)`;
  const wellQuoted = new RegExp(`^(?:${escaped}${cell})*(?:${escaped}"[^"]*(?:""[^"]*)*)?$`);
  return {
    delimiter,
    delimiterCode: delimiter.charCodeAt(0),
    /** Whether cells, each after a delimiter, have quotes only around them or doubled within them. The last one may be open. */
    isWellQuoted: (cells: string): boolean => wellQuoted.test(cells.trimEnd()),
  };
}

/** A text that contains a row. Unless it is the last one of its file, it may continue. */
export class CsvText {
  readonly text: string;
  readonly isLast: boolean;
  readonly dialect: CsvDialect;
  /** How many unclear quotes the row has so far. */
  unclearQuotes = 0;

  constructor(text: string, isLast: boolean, dialect: CsvDialect) {
    this.text = text;
    this.isLast = isLast;
    this.dialect = dialect;
  }

  isDelimiter(position: number): boolean {
    return this.text.charCodeAt(position) === this.dialect.delimiterCode;
  }

  /** Whether the text ends before a position, and may continue. */
  isCutBefore(position: number): boolean {
    return !this.isLast && position >= this.text.length;
  }

  isCellEnd(position: number): boolean {
    if (position >= this.text.length) return this.isLast;
    const code = this.text.charCodeAt(position);
    return code === this.dialect.delimiterCode || code === LF || code === CR;
  }

  /** Finds the next delimiter or line end; -1 when the text may continue before it. */
  findCellEnd(from: number): number {
    let end = from;
    while (!this.isCellEnd(end)) {
      if (end >= this.text.length) return -1;
      end += 1;
    }
    return end;
  }

  /** Finds the next line end; -1 when the text may continue before it, or between its CR and LF. */
  findLineEnd(from: number): number {
    return findLineEnd(this.text, from, this.isLast);
  }

  /** Finds the line after a line end; null when the text may continue before the end of that line. */
  findNextLine(lineEnd: number): string | null {
    const start = lineEnd + (this.text.startsWith('\r\n', lineEnd) ? 2 : 1);
    const end = this.findLineEnd(start);
    return end === -1 ? null : this.text.slice(start, end);
  }

  /** Skips white space that can stand beside a quote. */
  skipBlanks(from: number): number {
    let position = from;
    while (this.#isBlank(this.text.charCodeAt(position))) position += 1;
    return position;
  }

  #isBlank(code: number): boolean {
    if (code === SPACE) return true;
    if (code === this.dialect.delimiterCode || code === LF || code === CR) return false;
    return code === TAB || (code >= NO_BREAK_SPACE && isBlank(String.fromCharCode(code)));
  }
}

/** Finds the next line end; -1 when the text may continue before it, or between its CR and LF. */
export function findLineEnd(text: string, from: number, isLast: boolean): number {
  LINE_END.lastIndex = from;
  const end = LINE_END.exec(text)?.index ?? text.length;
  return isLast || end + 1 < text.length || text.charCodeAt(end) === LF ? end : -1;
}
