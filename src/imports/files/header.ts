import { cellsOf } from './cells.ts';
import { cutterOf } from './cut.ts';
import { findNotUtf8 } from './utf8.ts';

/** The first row of a file as it is under one delimiter. */
export interface Header {
  delimiter: string;
  text: string;
  cells: string[];
  /** The line after it. */
  nextLine: number;
  /** The line of it that is not UTF-8. */
  notUtf8Line: number | null;
}

/** The header under each delimiter under which `head` has one; `isWhole`: there is no more of the file. */
export function readHeaders(head: Buffer, isWhole: boolean, delimiters: string[]): Header[] {
  // `sep=;` above the header is a word to Excel.
  const [hint, told] = /^sep=([,;|\t])\r?\n/i.exec(head.toString('latin1', 0, 7)) ?? [];
  const from = { start: hint?.length ?? 0, line: hint === undefined ? 1 : 2 };
  const tried = told === undefined ? delimiters : [told];
  return tried.flatMap((delimiter) => readHeader(head, isWhole, delimiter, from) ?? []);
}

function readHeader(
  head: Buffer,
  isWhole: boolean,
  delimiter: string,
  from: { start: number; line: number },
): Header | null {
  const cut = cutterOf(delimiter);
  let { start, line } = from;
  let row = cut(head, start, isWhole);
  while (row?.isBlank && row.next < head.length) {
    start = row.next;
    line += row.lines;
    row = cut(head, start, isWhole);
  }
  if (row === undefined || row.isBlank || row.isTorn) return null;
  const bytes = head.subarray(start, row.end);
  const bad = findNotUtf8({ bytes, rows: [{ ...row, line, start: 0, end: bytes.length }] });
  return {
    delimiter,
    text: bytes.toString('utf8'),
    cells: cellsOf(bytes, delimiter)[0] ?? [],
    nextLine: line + Math.max(row.lines, 1),
    notUtf8Line: bad?.line ?? null,
  };
}
