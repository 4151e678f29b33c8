import { parse, type Options } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { FileError } from './file-error.ts';
import { countLineEnds } from './utf8.ts';

/** A row as csv-parse reads it. */
export interface CsvRecord {
  /** The line on which it begins. */
  line: number;
  /** Its text in the file, without the line end. */
  text: string;
  cells: string[];
}

interface RawRecord {
  record: string[];
  raw: string;
}

const ROW_MAX_SIZE = 1024 * 1024;

/*
 * People write CSV in many ways: a quote in the middle of a cell is a character, rows differ in their number of cells, and
 * one file can end its lines in several ways.
 */
const CSV_OPTIONS = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_quotes: true,
  relax_column_count: true,
  raw: true,
  max_record_size: ROW_MAX_SIZE,
} satisfies Options;

/** NDJSON has no quotes. JSON holds no U+0000, so that each line is one cell. */
const NDJSON_OPTIONS = {
  ...CSV_OPTIONS,
  record_delimiter: ['\r\n', '\n'],
  delimiter: '\0',
  quote: null,
  escape: null,
} satisfies Options;

type Done = (error?: Error | null) => void;

/**
 * Reads the rows of CSV, or the lines of NDJSON when `delimiter` is null, the rows of one chunk at a time. Throws a
 * FileError that names the line for a row of more than 1 MiB and for a quote that nothing closes, after the rows before it.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string | null,
): AsyncGenerator<CsvRecord[]> {
  const records: CsvRecord[] = [];
  let line = 1;

  function takeRecord({ record, raw }: RawRecord): null {
    const text = withoutLineEnd(raw);
    if (text.length > ROW_MAX_SIZE) throw new FileError(describeLongRow(line));
    records.push({ line, text, cells: record });
    // The `lines` of csv-parse count CR LF within quotes twice.
    line += 1 + (delimiter === null ? 0 : countLineEndsIn(text));
    return null;
  }

  // A stream that fails drops the records in its buffer, so `on_record` takes them before.
  const options = delimiter === null ? NDJSON_OPTIONS : { ...CSV_OPTIONS, delimiter };
  const parser = parse({ ...options, on_record: takeRecord } as unknown as Options);
  // The callback of each write reports its error.
  parser.on('error', () => undefined).resume();

  async function* readAfter(send: (done: Done) => void): AsyncGenerator<CsvRecord[]> {
    const error = await new Promise<Error | null | undefined>((resolve) => send(resolve));
    if (records.length > 0) yield records.splice(0);
    if (error) throw toFileError(error, line);
  }

  for await (const chunk of chunks) yield* readAfter((done) => parser.write(chunk, done));
  yield* readAfter((done) => parser.end(done));
}

function withoutLineEnd(text: string): string {
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  return text.slice(0, text[end - 1] === '\r' ? end - 1 : end);
}

function countLineEndsIn(text: string): number {
  return text.includes('\n') || text.includes('\r') ? countLineEnds(Buffer.from(text)) : 0;
}

function toFileError(error: Error, line: number): Error {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'CSV_MAX_RECORD_SIZE') return new FileError(describeLongRow(line));
  if (code !== 'CSV_QUOTE_NOT_CLOSED') return error;
  return new FileError(`the row that begins on line ${line} opens a quote that is never closed`);
}

function describeLongRow(line: number): string {
  return `the row that begins on line ${line} is longer than 1 MiB; close its quotes or shorten it`;
}

/** Reads the cells of one row. */
export function readCells(text: string, delimiter: string): string[] {
  return parseSync(text, { ...CSV_OPTIONS, raw: false, delimiter })[0] ?? [];
}

/** The header of a file. */
export interface Header {
  text: string;
  cells: string[];
  /** The number of bytes up to the end of the header, with its line end. */
  bytes: number;
}

/** Reads the first row that is not blank; null when it does not end within `head`. `isWhole`: the file ends with `head`. */
export function readHeader(head: Buffer, isWhole: boolean, delimiter: string): Header | null {
  const first = { to: 1, skip_records_with_empty_values: true, info: true } as const;
  try {
    const [row] = parseSync(head, {
      ...CSV_OPTIONS,
      ...first,
      delimiter,
    }) as unknown as (RawRecord & {
      info: { bytes: number };
    })[];
    if (row === undefined || (row.info.bytes === head.length && !isWhole)) return null;
    const text = withoutLineEnd(row.raw);
    if (isTorn(text, row.record)) return null;
    return { text, cells: row.record, bytes: row.info.bytes };
  } catch {
    return null;
  }
}

/**
 * Whether text follows a closing quote in a cell that goes over a line end. csv-parse then joins two rows into one, and
 * gives the cell as it is, with its quotes; a cell that really begins with a quote has two in the text for each of its own.
 */
export function isTorn(text: string, cells: string[]): boolean {
  return cells.some(
    (cell) =>
      cell.startsWith('"') &&
      /[\r\n]/.test(cell) &&
      !text.includes(`"${cell.replaceAll('"', '""')}"`),
  );
}
