import type { Span } from './rows.ts';

/** One row, cut out of bytes. */
interface Cut extends Omit<Span, 'line' | 'start'> {
  /** Where the next row begins. */
  next: number;
  /** How many lines end from the row's beginning to the next row's. */
  lines: number;
}

/**
 * Cuts off the row that begins at `start`. Undefined when the bytes end before it does; with the last bytes of a
 * file that is a quote that nothing closes.
 */
export type Cutter = (bytes: Buffer, start: number, isLast: boolean) => Cut | undefined;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;

/** Cuts NDJSON: each line is a row. */
export const cutLine: Cutter = (bytes, start, isLast) => {
  const found = bytes.indexOf(LF, start);
  if (found === -1 && !isLast) return undefined;
  const next = found === -1 ? bytes.length : found + 1;
  const lines = found === -1 ? 0 : 1;
  const end = next - lines;
  const isCrLf = lines === 1 && end > start && bytes[end - 1] === CR;
  const isBlank = holdsOnly(bytes, start, end, [SPACE, TAB, CR]);
  return { end: isCrLf ? end - 1 : end, next, lines, isBlank, isTorn: false };
};

/**
 * The cutter of CSV, which agrees with the reader of cells (cells.ts): a cell that begins with a quote goes on
 * to the next single quote, over delimiters and lines. A line ends in LF, CR LF or CR.
 */
export function cutterOf(delimiter: string): Cutter {
  const separator = delimiter.charCodeAt(0);
  const filling = [separator, SPACE, TAB, QUOTE, LF, CR];
  return (bytes, start, isLast) => {
    let at = start - 1;
    let lines = 0;
    let isTorn = false;
    do {
      at += 1;
      if (bytes[at] === QUOTE) {
        const close = closingQuote(bytes, at + 1);
        if (close === -1) return undefined;
        const crossed = lineEndsIn(bytes, at, close);
        lines += crossed;
        at = close + 1;
        isTorn ||= crossed > 0 && !endsCell(bytes[at], separator);
      }
      at = cellEnd(bytes, at, separator);
    } while (bytes[at] === separator);
    const length = lineEndLength(bytes, at, isLast);
    if (length === -1) return undefined;
    const isBlank = holdsOnly(bytes, start, at, filling);
    return { end: at, next: at + length, lines: lines + Math.sign(length), isBlank, isTorn };
  };
}

function cellEnd(bytes: Buffer, from: number, separator: number): number {
  const { length } = bytes;
  for (let at = from; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === separator || byte === LF || byte === CR) return at;
  }
  return length;
}

// Undefined is the byte after the last.
function endsCell(byte: number | undefined, separator: number): boolean {
  return byte === separator || byte === LF || byte === CR || byte === undefined;
}

// -1: it is not in these bytes. Of a quote at their end, what follows tells, and the row is not over.
function closingQuote(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(QUOTE, from);
  while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
  return at;
}

// -1: more bytes are needed to tell.
function lineEndLength(bytes: Buffer, at: number, isLast: boolean): number {
  if (bytes[at] === LF) return 1;
  if (at === bytes.length) return isLast ? 0 : -1;
  if (at + 1 === bytes.length) return isLast ? 1 : -1;
  return bytes[at + 1] === LF ? 2 : 1;
}

function lineEndsIn(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1)
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) count += 1;
  return count;
}

function holdsOnly(bytes: Buffer, start: number, end: number, filling: number[]): boolean {
  let at = start;
  while (at < end && filling.includes(bytes[at] ?? 0)) at += 1;
  return at === end;
}
