import { BYTE_ORDER_MARK, guardCell, quoteCell, unguardCell } from '../../platform/text/index.ts';
import { ADDED_COLUMNS, REPORT_COLUMNS, UPLOAD_REPORT_COLUMNS } from './columns/columns.ts';
import { createRowScanner } from './csv/csv-row.ts';
import { readCells } from './csv/csv.ts';
import type { Layout } from './detect-layout.ts';
import { guardText } from './rows/cells.ts';
import type { Row } from './rows/read-rows.ts';

/** Whether a text is the beginning of a report. A report may be empty. */
export function isReport(head: string): boolean {
  return head === '' || /^\uFEFF?(\{\s*")?offplan_line\b/.test(head);
}

/** Formats the first line of a report of refused rows, with its line end. Empty for NDJSON, where each row names its fields. */
export function formatReportHeader(layout: Layout): string {
  const { delimiter, header } = layout;
  if (delimiter === null) return '';
  const columns = REPORT_COLUMNS.map((name) => name + delimiter).join('');
  const others = guardRow(removeReportColumns(header, header, delimiter), layout, delimiter);
  return `${BYTE_ORDER_MARK}${columns}${others}\n`;
}

/**
 * Formats a refused row for the report, with its line end: its line, its row in a spreadsheet, the reason, and its cells, with
 * guards that keep a spreadsheet from taking them for formulas. The user can correct the report and import it as it is. The
 * columns that an earlier report added are replaced.
 */
export function formatReportRow(
  { line, row, text }: Pick<Row, 'line' | 'row' | 'text'>,
  reason: string,
  layout: Layout,
): string {
  const { delimiter, header } = layout;
  const why = reason.replace(/\s+/g, ' ').trim();
  if (delimiter === null) return formatNdjsonRow(line, text, why);
  const own = [line, row, quoteCell(guardCell(why), delimiter)];
  const cells = guardRow(removeReportColumns(text, header, delimiter), layout, delimiter);
  return `${[...own, cells].join(delimiter)}\n`;
}

/** A refused row of an uploaded file. */
interface UploadedRow {
  line: number;
  code: string;
  reason: string;
  text: string;
}

/** The report of an uploaded file, in the parts in which it is sent. */
interface UploadReport {
  header: string;
  formatRow: (row: UploadedRow) => string;
}

/**
 * Creates the report of an uploaded file with these headers: CSV with the delimiter of the file. For NDJSON the delimiter is
 * null, and an object is one cell.
 */
export function createUploadReport(delimiter: string | null, headers: string[]): UploadReport {
  const separator = delimiter ?? ',';
  const quote = (text: string) => quoteCell(guardCell(text), separator);
  const fileHeader = headers.map(quote).join(separator);
  const isReport = ADDED_COLUMNS.includes(headers[0] ?? '');
  const others =
    delimiter === null ? ['offplan_text'] : headers.filter((name) => !ADDED_COLUMNS.includes(name));
  const rowOf = (cells: string[]) => `${cells.join(separator)}\n`;
  const cellsOf = (text: string) =>
    delimiter === null
      ? quote(text)
      : guardRow(removeReportColumns(text, fileHeader, delimiter), { isReport }, delimiter);
  return {
    header: BYTE_ORDER_MARK + rowOf([...UPLOAD_REPORT_COLUMNS, ...others.map(quote)]),
    formatRow: ({ line, code, reason, text }) =>
      rowOf([String(line), code, quote(reason.replace(/\s+/g, ' ').trim()), cellsOf(text)]),
  };
}

/** Guards the cells of a row. A row that needs no guard stays the same, character by character. */
function guardRow(text: string, { isReport }: Pick<Layout, 'isReport'>, delimiter: string): string {
  const { cells, fault } = createRowScanner(delimiter)(text, 0, true) ?? { cells: [], fault: '' };
  if (fault !== null) return guardText(text, delimiter);
  const guarded = cells.map((cell) => guardCell(isReport ? unguardCell(cell) : cell));
  if (guarded.every((cell, index) => cell === cells[index])) return text;
  return guarded.map((cell) => quoteCell(cell, delimiter)).join(delimiter);
}

function removeReportColumns(text: string, header: string, delimiter: string): string {
  const names = readCells(header, delimiter).map((name) => name.trim());
  const own = names.findIndex((name) => !ADDED_COLUMNS.includes(name));
  if (own === 0) return text;
  const cell = `(?:"(?:[^"]|"")*"|(?!")[^\\${delimiter}\r\n]*)\\${delimiter}`;
  return text.replace(new RegExp(`^(?:${cell}){${own}}`), '');
}

const REPORTED =
  /^\{\s*"offplan_line"\s*:\s*\d+\s*,\s*"offplan_reason"\s*:\s*"(?:[^"\\]|\\.)*"\s*,?/;

function formatNdjsonRow(line: number, text: string, reason: string): string {
  const report = `{"offplan_line":${line},"offplan_reason":${JSON.stringify(reason)}`;
  if (!isObject(text)) return `${report},"offplan_text":${JSON.stringify(text)}}\n`;
  const members = text.trimStart().replace(REPORTED, '{').slice(1);
  return `${report}${members.trimStart().startsWith('}') ? '' : ','}${members}\n`;
}

function isObject(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
