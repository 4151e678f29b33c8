import { isBlank } from '../../platform/text/index.ts';
import { isBlankRecord, isTorn, readCells, readRecords, type CsvRecord } from './csv.ts';
import type { Field } from './field-names.ts';
import type { ContactsFile, Layout } from './open-file.ts';

/** A row of a file. */
export interface Row {
  /** The line on which it begins; the first of the file is 1. */
  line: number;
  /** Its text in the file, without the line end. */
  text: string;
  /** The import request: of CSV a text for each field, of NDJSON the parsed JSON. */
  value: unknown;
  /** Why the row cannot be read, as in `The row has 9 cells where the header has 8`; null: it can. */
  fault: string | null;
}

/**
 * Reads the rows of a file that begin on `fromLine` or after it, many at a time, without blank rows. Throws a FileError
 * that names the line for text that is not UTF-8, for a row of more than 1 MiB and for a quote that nothing closes.
 */
export async function* readRows(file: ContactsFile, fromLine = 1): AsyncGenerator<Row[]> {
  const { layout } = file;
  for await (const records of readFilledRecords(file, fromLine))
    yield records.map((record) =>
      layout.delimiter === null ? toNdjsonRow(record) : toCsvRow(record, layout.fields),
    );
}

/** Counts the rows that `readRows` gives. Throws the FileErrors that it throws. */
export async function countRows(file: ContactsFile, fromLine = 1): Promise<number> {
  let count = 0;
  for await (const records of readFilledRecords(file, fromLine)) count += records.length;
  return count;
}

async function* readFilledRecords(
  { layout, chunks }: ContactsFile,
  fromLine: number,
): AsyncGenerator<CsvRecord[]> {
  const firstLine = Math.max(fromLine, layout.firstLine);
  for await (const records of readRecords(chunks, layout.delimiter)) {
    const filled = records.filter((record) => record.line >= firstLine && !isBlankRecord(record));
    if (filled.length > 0) yield filled;
  }
}

const TORN =
  'The row has a quoted cell that goes over a line end and has text after its closing quote';

function toCsvRow(record: CsvRecord, fields: Layout['fields']): Row {
  const { line, text, cells } = record;
  const fault = isTorn(record) ? TORN : findExtraCells(cells, fields.length);
  return { line, text, value: toValue(cells, fields), fault };
}

function findExtraCells(cells: string[], columns: number): string | null {
  const count = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
  return count > columns ? `The row has ${count} cells where the header has ${columns}` : null;
}

/** Reads the text of a CSV row again. */
export function parseRow(text: string, delimiter: string, fields: Layout['fields']): unknown {
  return toValue(readCells(text, delimiter), fields);
}

function toValue(cells: string[], fields: Layout['fields']): Partial<Record<Field, string>> {
  const value: Partial<Record<Field, string>> = {};
  for (const [column, field] of fields.entries()) {
    const text = cells[column];
    if (field !== null && !isBlank(text)) value[field] = field === 'tags' ? toTags(text) : text;
  }
  return value;
}

/*
 * Import requests separate labels by commas. Mailchimp puts each label in quotes, HubSpot and Outlook separate them by
 * semicolons, Google by `:::` with an asterisk before its own labels.
 */
function toTags(text: string): string {
  const labels = text.replaceAll('"', '').split(/:::|[,;|\r\n]/);
  return labels.map((label) => label.replace(/^\s*\*/, '').trim()).join(',');
}

function toNdjsonRow({ line, text }: CsvRecord): Row {
  try {
    return { line, text, value: unwrap(JSON.parse(text)), fault: null };
  } catch {
    return { line, text, value: null, fault: 'The line is not valid JSON' };
  }
}

// The report of an earlier import has a line that is not valid JSON as a text in `offplan_text`.
function unwrap(value: unknown): unknown {
  const { offplan_text: text } = (value ?? {}) as { offplan_text?: unknown };
  return typeof text === 'string' ? JSON.parse(text) : value;
}
