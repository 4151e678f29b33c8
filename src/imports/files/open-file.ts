import type { Readable } from 'node:stream';
import { decodeChunks, EncodingError, findEncoding } from './csv/decode.ts';
import { detectLayout, type FileOptions, type Layout } from './detect-layout.ts';
import { refuseBinary } from './format.ts';

/** An open file. It can be read once. */
export interface ContactsFile {
  layout: Layout;
  /** The text of the file without a byte order mark. */
  texts: AsyncIterable<string>;
}

/** The header must end within this many bytes. */
const HEAD_BYTES = 64 * 1024;

/** Opens a file and detects its layout. Throws a FileError, after closing the source, when the layout is unclear. */
export async function openFile(source: Readable, options: FileOptions): Promise<ContactsFile> {
  try {
    const head = await readHead(source);
    const encoding = findEncoding(head, options.encoding);
    refuseBinary(head, encoding);
    const texts = decodeChunks(replay(head, source), encoding);
    const first = await readFirst(texts);
    const layout = { encoding, ...(await detectLayout(first, options)) };
    return { layout, texts: prepend(first, texts) };
  } catch (error) {
    source.destroy();
    throw error;
  }
}

async function readHead(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks);
}

async function* replay(head: Buffer, source: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    yield* source;
  } finally {
    // A reader that stops after the head closes the source, too.
    source.destroy();
  }
}

async function readFirst(texts: AsyncIterator<string>): Promise<string> {
  try {
    return (await texts.next()).value ?? '';
  } catch (error) {
    throw error instanceof EncodingError ? error.atLine(1) : error;
  }
}

async function* prepend(first: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first;
    yield* texts;
  } finally {
    await texts.return(undefined);
  }
}
