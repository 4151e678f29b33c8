/** A row of a file. */
export interface Row {
  /** The line on which it begins; the first of the file is 1. */
  line: number;
  /** As it is in the file, without its line end. */
  text: string;
  /** What is to be read as an import request: texts by field of CSV, whatever the JSON says of NDJSON. */
  value: unknown;
  /** Why it cannot be read, as in `The row has 9 cells where the header has 8`; null: it can. */
  fault: string | null;
}

/** A row in the bytes of its block. */
export interface Span {
  line: number;
  start: number;
  /** Before the line end. */
  end: number;
  /** There is nothing to read in it. */
  isBlank: boolean;
  /** A quote that opens a cell is closed on another line, and not at the end of a cell. */
  isTorn: boolean;
}

/** Whole rows and the bytes that hold them; lines without a byte are in none. */
export interface Block {
  bytes: Buffer;
  rows: Span[];
}
