import type { Readable } from 'node:stream';
import { countFields, toColumns, toMaps, type Columns, type ColumnMap } from './columns.ts';
import { isBlankRecord, isTorn, readRecords, type CsvRecord } from './csv.ts';
import { FileError } from './file-error.ts';
import { detectFormat, type Format } from './format.ts';

/** How to read a file. */
export interface Layout extends Columns {
  /** null for NDJSON, whose objects name their fields themselves. */
  delimiter: string | null;
  /** The text of the header in the file, without its line end. */
  header: string;
  /** The first line on which a row can begin. */
  firstLine: number;
}

/** An open file, which can be read once. */
export interface ContactsFile {
  layout: Layout;
  /** The bytes of the file without a byte order mark. */
  chunks: AsyncIterable<Uint8Array>;
}

/** The facts about a file that are not in its bytes. */
export interface FileOptions {
  /** The extension names the format; null: the file has no name. */
  name: string | null;
  /** The format that the user names; null: detect it. */
  format: Format | null;
  /** The values of `--map`, each `Their header=field`. */
  maps: string[];
}

/** The header must end within this many bytes. */
const HEAD_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const DELIMITERS = [',', ';', '\t', '|'];

/** Opens a file and detects its layout. Throws a FileError, after closing the source, when the layout is unclear. */
export async function openFile(source: Readable, options: FileOptions): Promise<ContactsFile> {
  try {
    const bytes = await readHead(source);
    const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const head = hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
    return { layout: await detectLayout(head, options), chunks: replay(head, source) };
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

async function detectLayout(head: Buffer, options: FileOptions): Promise<Layout> {
  const format = detectFormat(head, options.name, options.format);
  const maps = toMaps(options.maps);
  if (format !== 'ndjson') return detectCsvLayout(head, format, maps);
  if (maps.length > 0)
    throw new FileError('--map is for columns; an object of NDJSON names its fields itself');
  return { delimiter: null, header: '', firstLine: 1, fields: [], ignored: [] };
}

/** Takes the delimiter under which the most columns are recognized, or else the one that gives the most columns. */
async function detectCsvLayout(head: Buffer, format: Format, maps: ColumnMap[]): Promise<Layout> {
  const hinted = SEPARATOR_LINE.exec(head.toString('latin1', 0, head.indexOf('\n')))?.[1];
  const candidates = format === 'tsv' ? ['\t'] : DELIMITERS;
  const delimiters = hinted === undefined ? candidates : [hinted];
  const headers = await Promise.allSettled(
    delimiters.map((delimiter) => readHeader(head, delimiter)),
  );
  const [best] = headers
    .flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    .map((header) => ({ ...header, count: countFields(header.cells, maps) }))
    .toSorted((a, b) => b.count - a.count || b.cells.length - a.cells.length);
  if (best === undefined) throw (headers[0] as PromiseRejectedResult).reason;
  const { delimiter, text, line, cells } = best;
  return { delimiter, header: text, firstLine: line + 1, ...toColumns(cells, maps) };
}

/** Excel reads a line `sep=;` above the header as the delimiter. */
const SEPARATOR_LINE = /^sep=([,;|\t])\r?$/i;

/** Reads the first row that is neither blank nor a separator line. */
async function readHeader(
  head: Buffer,
  delimiter: string,
): Promise<CsvRecord & { delimiter: string }> {
  for await (const records of readRecords([head], delimiter)) {
    const header = records.find(
      (record) => !isBlankRecord(record) && !SEPARATOR_LINE.test(record.text),
    );
    if (header === undefined) continue;
    if (isTorn(header)) throw new FileError('the header opens a quote that is never closed');
    return { ...header, delimiter };
  }
  throw new FileError('no line names the columns, such as email, first name, mobile');
}
