import { detectLayout, type FileOptions } from './layout.ts';
import type { ContactsFile } from './read-rows.ts';

/** The header must end within this many bytes. */
const HEAD_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Opens a file and detects its layout. Throws a FileError, after closing the source, when the layout is unclear. */
export async function openFile(
  source: AsyncIterable<Uint8Array>,
  options: FileOptions,
): Promise<ContactsFile> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    const bytes = await readHead(chunks);
    const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const head = hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
    const layout = detectLayout(head, bytes.length < HEAD_BYTES, options);
    return { layout, chunks: replay(head, chunks) };
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
}

async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const head: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head.push(value);
    length += value.length;
  }
  return Buffer.concat(head);
}

async function* replay(
  head: Buffer,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  } finally {
    // A reader that stops after the head closes the source, too.
    await chunks.return?.();
  }
}
