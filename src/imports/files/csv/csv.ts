import { isBlank } from '../../../platform/text/index.ts';
import { FileError } from '../file-error.ts';
import { createRowScanner, scanLine } from './csv-row.ts';
import { countLineEnds, EncodingError } from './decode.ts';

/** A row of CSV, or a line of NDJSON, which is its only cell. */
export interface CsvRecord {
  /** The line on which it begins; the first of the file is 1. */
  line: number;
  /** Its row number in a spreadsheet, where a cell over several lines is in one row. */
  row: number;
  /** Its text in the file, without the line end. */
  text: string;
  cells: string[];
  /** Why it is unclear where its cells end, or null. */
  fault: string | null;
}

const ROW_MAX_LENGTH = 1024 * 1024;
/** The most rows of one item. Larger items survive young garbage collections, which then take most of the time. */
const ITEM_MAX_ROWS = 1_000;

/**
 * Reads the rows of CSV, or the lines of NDJSON when `delimiter` is null; an item has up to 1,000 rows of one chunk. Throws a
 * FileError that names the line for text that cannot be decoded, for a row of more than 1 Mi characters and for a quote that is
 * never closed. It yields the rows before that line first.
 */
export async function* readRecords(
  texts: AsyncIterable<string> | Iterable<string>,
  delimiter: string | null,
): AsyncGenerator<CsvRecord[]> {
  const scan = delimiter === null ? scanLine : createRowScanner(delimiter);
  let rest = '';
  let at = 0;
  let line = 1;
  let row = 1;

  /** Takes the next rows that are complete. In the last chunk, all are. */
  function takeRecords(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    while (records.length < ITEM_MAX_ROWS && at < rest.length) {
      const found = scan(rest, at, isLast);
      if (found === null || found.end - at > ROW_MAX_LENGTH) break;
      const text = rest.slice(at, found.end);
      records.push({ line, row, text, cells: found.cells, fault: found.fault });
      line += 1 + countLineEnds(text);
      row += 1;
      at = found.end + (rest.startsWith('\r\n', found.end) ? 2 : 1);
    }
    return records;
  }

  function* take(isLast: boolean): Generator<CsvRecord[]> {
    for (let records; (records = takeRecords(isLast)).length > 0;) yield records;
    rest = rest.slice(at);
    at = 0;
    const fault = findFault(rest.length, isLast);
    if (fault !== null) throw new FileError(`the row that begins on line ${line} ${fault}`);
  }

  try {
    for await (const text of texts) {
      rest += text;
      yield* take(false);
    }
    yield* take(true);
  } catch (error) {
    throw error instanceof EncodingError ? error.atLine(line + countLineEnds(rest)) : error;
  }
}

function findFault(restLength: number, isLast: boolean): string | null {
  if (restLength > ROW_MAX_LENGTH) return 'is longer than 1 MiB; close its quotes or shorten it';
  return isLast && restLength > 0 ? 'opens a quote that is never closed' : null;
}

/** Reads the cells of one row. */
export function readCells(text: string, delimiter: string): string[] {
  return createRowScanner(delimiter)(text, 0, true)?.cells ?? [];
}

/** Whether every cell of a row is blank. */
export function isBlankRecord({ cells }: CsvRecord): boolean {
  return cells.every((cell) => isBlank(cell));
}
