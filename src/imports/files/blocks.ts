import type { Cutter } from './cut.ts';
import { FileError } from './faults.ts';
import type { Block, Span } from './rows.ts';
import { findNotUtf8, notUtf8 } from './utf8.ts';

const ROW_MAX_SIZE = 1024 * 1024;
const LINE_END_MAX_SIZE = 2;

/**
 * The rows of a file, in a block for each piece of it. Throws a FileError that names the line for what is not
 * UTF-8, for a row of more than 1 MiB and for a quote that is never closed, after it gave all rows before that.
 */
export async function* blocksOf(pieces: AsyncIterable<Buffer>, cut: Cutter): AsyncGenerator<Block> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const piece of pieces) {
    const part = cutAll(Buffer.concat([rest, piece]), line, cut, false);
    yield* take(part);
    ({ rest, line } = part);
  }
  yield* take(cutAll(rest, line, cut, true));
}

interface Part {
  block: Block;
  /** The row that is not complete, and the line on which it begins. */
  rest: Buffer;
  line: number;
  fault: string | null;
}

function* take({ block, fault }: Part): Generator<Block> {
  if (block.rows.length > 0) yield block;
  if (fault !== null) throw new FileError(fault);
}

function cutAll(bytes: Buffer, firstLine: number, cut: Cutter, isLast: boolean): Part {
  const rows: Span[] = [];
  let line = firstLine;
  let start = 0;
  let row = cut(bytes, start, isLast);
  while (row !== undefined && start < bytes.length && row.end - start <= ROW_MAX_SIZE) {
    const { end, next, lines, isBlank, isTorn } = row;
    if (end > start) rows.push({ line, start, end, isBlank, isTorn });
    line += lines;
    start = next;
    row = cut(bytes, start, isLast);
  }
  const rest = bytes.subarray(start);
  const isTooLong = (row?.end ?? bytes.length - LINE_END_MAX_SIZE) - start > ROW_MAX_SIZE;
  const isOpen = isLast && rest.length > 0;
  const fault = isTooLong ? tooLong(line) : isOpen ? notClosed(line) : null;
  const bad = findNotUtf8({ bytes: bytes.subarray(0, start), rows });
  if (bad === null) return { block: { bytes, rows }, rest, line, fault };
  return { block: { bytes, rows: rows.slice(0, bad.row) }, rest, line, fault: notUtf8(bad.line) };
}

function tooLong(line: number): string {
  return `the row that begins on line ${line} is longer than 1 MiB; close its quotes or shorten it`;
}

function notClosed(line: number): string {
  return `the row that begins on line ${line} opens a quote that is never closed`;
}
