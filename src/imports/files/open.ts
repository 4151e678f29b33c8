import { readCsv } from './csv.ts';
import { gather, PIECE_SIZE } from './gather.ts';
import { layoutOf, type FileOptions, type Layout } from './layout.ts';
import { readNdjson } from './ndjson.ts';
import type { Row } from './rows.ts';

/** A file that was opened, to be read once. */
export interface ContactsFile {
  layout: Layout;
  /** All bytes of the file, but for a byte order mark. */
  pieces: AsyncIterable<Buffer>;
}

const MARK = Buffer.from('\uFEFF');

/** Finds out how a file is to be read. Throws a FileError when it cannot be, having closed what it read from. */
export async function openFile(
  chunks: AsyncIterable<Uint8Array>,
  options: FileOptions,
): Promise<ContactsFile> {
  const pieces = gather(chunks);
  const { value } = await pieces.next();
  const first = value ?? Buffer.alloc(0);
  const hasMark = first.subarray(0, MARK.length).equals(MARK);
  const head = hasMark ? first.subarray(MARK.length) : first;
  try {
    const layout = layoutOf(head, first.length < PIECE_SIZE, options);
    return { layout, pieces: replay(head, pieces) };
  } catch (error) {
    await pieces.return(undefined);
    throw error;
  }
}

async function* replay(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* rest;
  } finally {
    // Whoever stops at the first piece closes the file as well.
    await rest.return(undefined);
  }
}

/**
 * The rows of a file, those that begin on `fromLine` or after it, many at a time; blank ones are left out.
 * Throws a FileError that names the line for what is not UTF-8, for a row of more than 1 MiB and for a quote
 * that is never closed, after it gave all rows before that.
 */
export function readRows({ layout, pieces }: ContactsFile, fromLine = 1): AsyncGenerator<Row[]> {
  return layout.format === 'csv'
    ? readCsv(pieces, layout, Math.max(fromLine, layout.firstLine))
    : readNdjson(pieces, fromLine);
}
