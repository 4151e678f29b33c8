import { REPORT_COLUMNS } from './columns.ts';
import type { Layout } from './open-file.ts';
import type { Row } from './read-rows.ts';

/** Formats the first line of a report of refused rows, with its line end; empty for NDJSON, where rows name their fields. */
export function formatReportHeader({ delimiter, header }: Layout): string {
  if (delimiter === null) return '';
  return `${formatReportColumns(delimiter)}${removeReportColumns(header, header, delimiter)}\n`;
}

/**
 * Formats a refused row for the report, with its line end: the line, the reason, and the row unchanged. The user can import
 * the corrected report as it is. The line and the reason of an earlier report are replaced.
 */
export function formatReportRow(
  { line, text }: Pick<Row, 'line' | 'text'>,
  reason: string,
  { delimiter, header }: Layout,
): string {
  const why = reason.replace(/\s+/g, ' ').trim();
  if (delimiter === null) return formatNdjsonRow(line, text, why);
  const isPlain = !why.includes('"') && !why.includes(delimiter);
  const cell = isPlain ? why : `"${why.replaceAll('"', '""')}"`;
  return `${line}${delimiter}${cell}${delimiter}${removeReportColumns(text, header, delimiter)}\n`;
}

function formatReportColumns(delimiter: string): string {
  return REPORT_COLUMNS.map((name) => name + delimiter).join('');
}

function removeReportColumns(text: string, header: string, delimiter: string): string {
  if (!header.startsWith(formatReportColumns(delimiter))) return text;
  const cell = `(?:"(?:[^"]|"")*"|(?!")[^\\${delimiter}\r\n]*)\\${delimiter}`;
  return text.replace(new RegExp(`^(?:${cell}){${REPORT_COLUMNS.length}}`), '');
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
