import { REPORT_COLUMNS } from './columns.ts';
import type { CsvLayout, Layout } from './layout.ts';
import type { Row } from './read-rows.ts';

/** Writes the first line of a report of refused rows, with its line end; empty for NDJSON, where rows name their fields. */
export function reportHeader(layout: Layout): string {
  if (layout.format === 'ndjson') return '';
  const columns = REPORT_COLUMNS.map((name) => name + layout.delimiter).join('');
  return `${columns}${withoutReport(layout.header, layout)}\n`;
}

/**
 * Writes a refused row for the report, with its line end: the line, the reason, and the row unchanged. The user can import
 * the corrected report as it is. The line and the reason of an earlier report are replaced.
 */
export function reportRow(row: Pick<Row, 'line' | 'text'>, reason: string, layout: Layout): string {
  const why = reason.replace(/\s+/g, ' ').trim();
  return layout.format === 'csv' ? csvRow(row, why, layout) : ndjsonRow(row, why);
}

function csvRow({ line, text }: Pick<Row, 'line' | 'text'>, reason: string, layout: CsvLayout) {
  const { delimiter } = layout;
  const isPlain = !reason.includes('"') && !reason.includes(delimiter);
  const cell = isPlain ? reason : `"${reason.replaceAll('"', '""')}"`;
  return `${line}${delimiter}${cell}${delimiter}${withoutReport(text, layout)}\n`;
}

function withoutReport(text: string, { header, delimiter }: CsvLayout): string {
  const columns = REPORT_COLUMNS.map((name) => name + delimiter).join('');
  if (!header.startsWith(columns)) return text;
  const cell = `(?:"(?:[^"]|"")*"|(?!")[^\\${delimiter}\r\n]*)\\${delimiter}`;
  return text.replace(new RegExp(`^(?:${cell}){${REPORT_COLUMNS.length}}`), '');
}

const REPORTED =
  /^\{\s*"offplan_line"\s*:\s*\d+\s*,\s*"offplan_reason"\s*:\s*"(?:[^"\\]|\\.)*"\s*,?/;

function ndjsonRow({ line, text }: Pick<Row, 'line' | 'text'>, reason: string): string {
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
