import { BYTE_ORDER_MARK, guardCell, quoteCell } from '../text/index.ts';

/** The format of a file: its content type, and the functions that write its parts. */
export interface FileFormat<Row extends object> {
  contentType: string;
  formatHead: () => string;
  formatRow: (row: Row) => string;
  formatEnd: (rows: number) => string;
}

export type FormatName = 'csv' | 'ndjson';
export const FORMAT_NAMES = ['csv', 'ndjson'] as const satisfies FormatName[];

const CONTENT_TYPES: Record<FormatName, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The value of a cell before it is written. */
export type CellValue = string | number | null;

/** The columns of a CSV file, and the cells of a row by their names. */
export interface Columns<Row> {
  names: string[];
  toCells: (row: Row) => Record<string, CellValue | undefined>;
}

/** Makes a format with which rows are written. */
export function chooseFormat<Row extends object>(
  name: FormatName,
  columns: Columns<Row>,
): FileFormat<Row> {
  const contentType = CONTENT_TYPES[name];
  return { contentType, ...(name === 'csv' ? createCsv(columns) : createNdjson<Row>()) };
}

function createCsv<Row>({ names, toCells }: Columns<Row>) {
  const formatLine = (cells: (CellValue | undefined)[]) => `${cells.map(formatCell).join(',')}\n`;
  return {
    formatHead: () => BYTE_ORDER_MARK + formatLine(names),
    formatRow: (row: Row) => {
      const cells = toCells(row);
      return formatLine(names.map((name) => cells[name]));
    },
    formatEnd: () => '',
  };
}

/** Formats a cell. Marks a text that a spreadsheet would take for a formula; a negative number is not one. */
function formatCell(value: CellValue | undefined): string {
  return typeof value === 'string' ? quoteCell(guardCell(value)) : String(value ?? '');
}

function createNdjson<Row>() {
  return {
    formatHead: () => '',
    formatRow: (row: Row) => `${JSON.stringify(row)}\n`,
    formatEnd: (rows: number) => `${JSON.stringify({ rows })}\n`,
  };
}
