import { isUtf8 } from 'node:buffer';
import { CsvError, parse, type Options } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { isBlank } from '../../platform/text/index.ts';
import { FileError } from './file-error.ts';

/** A row of CSV, or a line of NDJSON, which is its only cell. */
export interface CsvRecord {
  /** The line on which it begins; the first of the file is 1. */
  line: number;
  /** Its text in the file, without the line end. */
  text: string;
  cells: string[];
}

const LINE_ENDS = /\r\n|\n|\r/g;

/*
 * People write CSV in many ways: a quote in the middle of a cell is a character, rows differ in their number of cells, and
 * one file can end its lines in several ways.
 */
const CSV_OPTIONS = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_quotes: true,
  relax_column_count: true,
  max_record_size: 1024 * 1024,
} satisfies Options;

/** NDJSON has no quotes. JSON holds no U+0000, so that each line is one cell. */
const NDJSON_OPTIONS = { ...CSV_OPTIONS, delimiter: '\0', quote: null, escape: null };

type Done = (error?: Error | null) => void;

/**
 * Reads the rows of CSV, or the lines of NDJSON when `delimiter` is null, the rows of one chunk at a time. Throws a
 * FileError that names the line for text that is not UTF-8, for a row of more than 1 MiB and for a quote that nothing
 * closes, after the rows before it.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  delimiter: string | null,
): AsyncGenerator<CsvRecord[]> {
  const records: CsvRecord[] = [];
  let line = 1;

  function takeRecord({ record, raw }: { record: string[]; raw: string }): null {
    const bytes = raw.replace(/\r?\n$|\r$/, '');
    const text = decodeUtf8(bytes, line);
    // The decoded text is shorter than its bytes, except when all are ASCII.
    const isAscii = text.length === bytes.length;
    records.push({ line, text, cells: isAscii ? record : record.map((cell) => decodeUtf8(cell)) });
    // The `lines` of csv-parse count CR LF within quotes twice.
    line += 1 + (text.match(LINE_ENDS)?.length ?? 0);
    return null;
  }

  const options = delimiter === null ? NDJSON_OPTIONS : { ...CSV_OPTIONS, delimiter };
  const parser = parse({
    ...options,
    raw: true,
    // Latin-1 has a character for each byte, so that `takeRecord` can check whether the bytes of a row are UTF-8.
    encoding: 'latin1',
    // A stream that fails drops the records in its buffer, so `on_record` takes them before.
    on_record: takeRecord,
  } as unknown as Options);
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

/** Decodes bytes that are given as Latin-1. Throws a FileError that names the first line that is not UTF-8. */
function decodeUtf8(latin1: string, firstLine = 1): string {
  const bytes = Buffer.from(latin1, 'latin1');
  if (isUtf8(bytes)) return bytes.toString();
  const lines = latin1.split(LINE_ENDS);
  const line = firstLine + lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
  const advice = 'save the file as CSV UTF-8 (in Excel: Save As, CSV UTF-8)';
  throw new FileError(`line ${line} is not UTF-8; ${advice}`);
}

const FAULTS: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: 'is longer than 1 MiB; close its quotes or shorten it',
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is never closed',
};

function toFileError(error: Error, line: number): Error {
  const fault = error instanceof CsvError ? FAULTS[error.code] : undefined;
  return fault === undefined
    ? error
    : new FileError(`the row that begins on line ${line} ${fault}`);
}

/** Reads the cells of one row. */
export function readCells(text: string, delimiter: string): string[] {
  return parseSync(text, { ...CSV_OPTIONS, delimiter })[0] ?? [];
}

/** Whether every cell of a row is blank. */
export function isBlankRecord({ cells }: CsvRecord): boolean {
  return cells.every((cell) => isBlank(cell));
}

/**
 * Whether text follows a closing quote in a cell that goes over a line end. csv-parse then joins two rows into one, and
 * gives the cell as it is, with its quotes; a cell that really begins with a quote has two in the text for each of its own.
 */
export function isTorn({ text, cells }: CsvRecord): boolean {
  return cells.some(
    (cell) =>
      cell.startsWith('"') &&
      /[\r\n]/.test(cell) &&
      !text.includes(`"${cell.replaceAll('"', '""')}"`),
  );
}
