import { isBlank, parseExactJson } from '../../../platform/text/index.ts';
import { isBlankRecord, readCells, readRecords, type CsvRecord } from '../csv/csv.ts';
import type { ContactsFile } from '../open-file.ts';
import type { Layout } from '../detect-layout.ts';
import { createRowReader, type RowContent, type RowReader } from './row-content.ts';
import type { FileShape } from './file-shape.ts';

/** A row of a file. */
export interface Row extends RowContent {
  /** The line on which it begins; the first of the file is 1. */
  line: number;
  /** Its number in a spreadsheet. */
  row: number;
  /** Its text in the file, without the line end. */
  text: string;
  /** The reason why the row cannot be read, such as `The row has 9 cells where the header has 8`; null when it can. */
  fault: string | null;
  /** The line that the row had in the file whose report this one is. */
  reportedLine?: number;
}

/**
 * Reads the rows of a file from the line `fromLine` on, many at a time, without blank rows. Throws a FileError that names the
 * line for text that cannot be decoded, for a row of more than 1 Mi characters and for a quote that is never closed.
 */
export async function* readRows(file: ContactsFile, fromLine = 1): AsyncGenerator<Row[]> {
  const { layout } = file;
  const read = createRowReader(layout);
  for await (const records of readFilledRecords(file, fromLine))
    yield records.map((record) =>
      layout.delimiter === null ? toNdjsonRow(record) : toCsvRow(record, layout, read),
    );
}

/** The last line of an export of contacts as NDJSON. */
const EXPORT_END = /^\{"rows":\d+\}\s*$/;

/** Reads the records of rows, without the header, blank rows and the last line of an export. */
export async function* readFilledRecords(
  { layout, texts }: ContactsFile,
  fromLine: number,
): AsyncGenerator<CsvRecord[]> {
  const firstLine = Math.max(fromLine, layout.firstLine);
  for await (const records of readRecords(texts, layout.delimiter)) {
    const filled = records.filter(
      (record) =>
        record.line >= firstLine &&
        !isBlankRecord(record) &&
        !(layout.delimiter === null && EXPORT_END.test(record.text)),
    );
    if (filled.length > 0) yield filled;
  }
}

function toCsvRow(record: CsvRecord, { fields, isReport }: Layout, read: RowReader): Row {
  const { line, row, text, cells } = record;
  const fault = record.fault ?? findExtraCells(cells, fields.length);
  const reportedLine = isReport ? readReportedLine(cells[0]) : {};
  return { line, row, text, fault, ...reportedLine, ...read(cells) };
}

function readReportedLine(value: unknown): Pick<Row, 'reportedLine'> {
  const line = Number(value);
  return Number.isSafeInteger(line) && line > 0 ? { reportedLine: line } : {};
}

function findExtraCells(cells: string[], columns: number): string | null {
  const count = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
  return count > columns ? `The row has ${count} cells where the header has ${columns}` : null;
}

/** Reads the text of a stored row again. Throws when it is a line of NDJSON that is not JSON. */
export function parseRow(text: string, shape: FileShape): RowContent {
  if (shape.delimiter === null) return readJson(text);
  return createRowReader(shape)(readCells(text, shape.delimiter));
}

function toNdjsonRow({ line, row, text }: CsvRecord): Row {
  try {
    const content = readJson(text);
    const { offplan_line: reported } = (content.value ?? {}) as { offplan_line?: unknown };
    return { line, row, text, fault: null, ...readReportedLine(reported), ...content };
  } catch {
    const nothing = { value: null, extra: {}, others: [] };
    return { line, row, text, fault: 'The line is not valid JSON', ...nothing };
  }
}

function readJson(text: string): RowContent {
  return { value: readExported(unwrap(parseExactJson(text))), extra: {}, others: [] };
}

/** Converts a contact as the API shows it, with the ids and labels of its tags, to members that an import has. */
function readExported(value: unknown): unknown {
  const { tags, archivedAt } = (value ?? {}) as { tags?: unknown; archivedAt?: unknown };
  if (!Array.isArray(tags) || archivedAt === undefined) return value;
  const labels = tags.map((tag: { label?: unknown } | null) => tag?.label ?? tag);
  return { archived: archivedAt, ...(value as object), tags: labels };
}

// In the report of an earlier import, `offplan_text` has a line that was not valid JSON.
function unwrap(value: unknown): unknown {
  const { offplan_text: text } = (value ?? {}) as { offplan_text?: unknown };
  return typeof text === 'string' ? parseExactJson(text) : value;
}
