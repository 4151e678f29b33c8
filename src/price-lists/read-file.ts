import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { invalidRequest, type Problem } from '../platform/http/index.ts';
import {
  FileError,
  findEncoding,
  isBlankRecord,
  listDelimiters,
  readRecords,
  TITLE_MAX_ROWS,
  toSentence,
  type CsvRecord,
} from '../imports/index.ts';
import { findColumns, NAMING_COLUMNS, type Column } from './columns.ts';

const ROWS_MAX_COUNT = 10_000;

/** A row of the file below its header. */
export interface FileRow {
  /** The number of the row; the header is row 1. */
  row: number;
  cells: string[];
  /** Why it is unclear where the cells of the row end, or null. */
  fault: string | null;
}

/** A price list as it was sent. */
export interface PriceListFile {
  /** The index of each column. */
  places: Map<Column, number>;
  headers: string[];
  ignoredColumns: string[];
  /** Whether the file may come from a country that writes decimals after a comma. */
  hasDecimalComma: boolean;
  rows: FileRow[];
}

/** Reads a price list as spreadsheets save it: with any usual delimiter, in UTF-8, UTF-16 or Windows-1252. */
export async function readPriceList(bytes: Buffer, charset: string | null): Promise<PriceListFile> {
  const text = decode(bytes, charset);
  const found: FoundHeader[] = [];
  let failure: Problem | undefined;
  for (const delimiter of listDelimiters(text))
    try {
      found.push(...(await findHeader(text, delimiter)));
    } catch (error) {
      failure ??= readFailure(error);
    }
  const [best] = found.toSorted((a, b) => countColumns(b.header) - countColumns(a.header));
  if (best === undefined) throw failure ?? noHeader();
  const rows = await readRows(text, best).catch((error: unknown) => {
    throw readFailure(error);
  });
  const { delimiter, header } = best;
  return { ...placeColumns(header.cells), hasDecimalComma: delimiter === ';', rows };
}

function placeColumns(
  headers: string[],
): Pick<PriceListFile, 'places' | 'headers' | 'ignoredColumns'> {
  const places = new Map<Column, number>();
  const ignoredColumns: string[] = [];
  for (const [place, column] of findColumns(headers).entries()) {
    const header = headers[place] ?? '';
    if (column === undefined) {
      if (header.trim() !== '') ignoredColumns.push(header);
    } else if (places.has(column))
      throw refuse(`Two columns are ${column}; leave one of them out.`);
    else places.set(column, place);
  }
  return { places, headers, ignoredColumns };
}

interface FoundHeader {
  delimiter: string;
  header: CsvRecord;
}

/** How many characters are parsed before other requests are answered. */
const PART_LENGTH = 256 * 1024;

/** Cuts a text in parts. Other requests are answered between them. */
async function* cutText(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PART_LENGTH) {
    await yieldToEventLoop();
    yield text.slice(at, at + PART_LENGTH);
  }
}

/** Finds the header with a delimiter. Returns nothing when none of the first rows has a column that names units. */
async function findHeader(text: string, delimiter: string): Promise<FoundHeader[]> {
  for await (const records of readRecords(cutText(text), delimiter)) {
    const first = records.filter(({ row }) => row <= TITLE_MAX_ROWS);
    const header = first.find(isHeader);
    if (header !== undefined) return [{ delimiter, header }];
    if (first.length === 0) break;
  }
  return [];
}

/** Reads the rows below the header, without blank ones. Other requests are answered while it reads. */
async function readRows(text: string, { delimiter, header }: FoundHeader): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for await (const records of readRecords(cutText(text), delimiter)) {
    for (const record of records)
      if (record.row > header.row && !isBlankRecord(record))
        rows.push({ row: record.row - header.row + 1, cells: record.cells, fault: record.fault });
    if (rows.length > ROWS_MAX_COUNT)
      throw refuse(`A price list has at most ${ROWS_MAX_COUNT} rows.`);
    await yieldToEventLoop();
  }
  return rows;
}

function isHeader(record: CsvRecord): boolean {
  const columns = new Set(findColumns(record.cells));
  return NAMING_COLUMNS.some((column) => columns.has(column)) && countColumns(record) > 1;
}

const countColumns = ({ cells }: CsvRecord): number =>
  findColumns(cells).filter((column) => column !== undefined).length;

/** Decodes a file by its byte order mark, or by the charset of the request, or else as UTF-8 or Excel's other encoding. */
function decode(bytes: Buffer, charset: string | null): string {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK')
    throw refuse('The file is a spreadsheet; save it as CSV UTF-8.');
  const encoding = findEncoding(bytes, charset ?? guessEncoding(bytes));
  const text =
    decodeAs(bytes, encoding) ?? (charset === null ? decodeAs(bytes, 'windows-1252') : null);
  if (text === null) throw refuse(`The file is not in ${encoding}.`);
  if (text.trim() === '') throw refuse('The file is empty.');
  if (text.includes('\0')) throw refuse('The file is not text; save it as CSV UTF-8.');
  return text;
}

/** Guesses UTF-16 without a byte order mark: one of the first two bytes of such a text is zero. */
function guessEncoding(bytes: Buffer): string | null {
  if (bytes[0] === 0) return 'utf-16be';
  return bytes[1] === 0 ? 'utf-16le' : null;
}

function decodeAs(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const noHeader = () =>
  refuse(
    'The first row must name the columns: unitId, lotNumber or name, and what to change, such as price.',
  );

/** Makes the refusal of a file. Throws any other error. */
function readFailure(error: unknown): Problem {
  if (error instanceof FileError) return refuse(toSentence(error.message));
  throw error;
}

function refuse(detail: string): Problem {
  return invalidRequest([{ pointer: '', detail }]);
}
