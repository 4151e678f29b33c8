import { isUtf8 } from 'node:buffer';
import { FileError } from './file-error.ts';

const ASCII_END = 0x80;
const LEAD_BYTE_START = 0xc0;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Passes on the bytes of a file, cut between characters. Throws a FileError that names the first line that is not UTF-8,
 * after the lines before it.
 */
export async function* requireUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let carried: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([carried, chunk]);
    // The last character waits for the next chunk, which may bring more of its bytes.
    const last = bytes.findLastIndex((byte) => byte < ASCII_END || byte >= LEAD_BYTE_START);
    const end = Math.max(last, 0);
    yield requireUtf8Lines(bytes.subarray(0, end), line);
    line += countLineEnds(bytes, end);
    carried = bytes.subarray(end);
  }
  yield requireUtf8Lines(carried, line);
}

/** Gives the bytes back when they are UTF-8. Throws a FileError that names the first line that is not. */
export function requireUtf8Lines(bytes: Buffer, firstLine: number): Buffer {
  if (isUtf8(bytes)) return bytes;
  const lines = bytes.toString('latin1').split(/\r\n|\n|\r/);
  const line = firstLine + lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
  const advice = 'save the file as CSV UTF-8 (in Excel: Save As, CSV UTF-8)';
  throw new FileError(`line ${line} is not UTF-8; ${advice}`);
}

/** Counts the line ends that begin before `end`: LF, CR LF or CR. */
export function countLineEnds(bytes: Buffer, end = bytes.length): number {
  let count = 0;
  for (let at = 0; at < end; at += 1)
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) count += 1;
  return count;
}
