import { isUtf8 } from 'node:buffer';
import type { Block } from './rows.ts';

/**
 * The first row of a block that is not UTF-8, as its place among the rows, and the line that is not; null when
 * all are. Rows can be cut before that is known: what ends them is the same byte in Windows-1252 and its like.
 */
export function findNotUtf8({ bytes, rows }: Block): { row: number; line: number } | null {
  if (isUtf8(bytes)) return null;
  for (const [row, { line, start, end }] of rows.entries()) {
    const lines = bytes.toString('latin1', start, end).split(/\r\n|\n|\r/);
    const index = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
    if (index !== -1) return { row, line: line + index };
  }
  return null;
}

/** The message for a line that is not UTF-8. */
export function notUtf8(line: number): string {
  return `line ${line} is not UTF-8; save the file as CSV UTF-8 (in Excel: Save As, CSV UTF-8)`;
}
