import { FileError } from '../file-error.ts';

const BYTE_ORDER_MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Finds the encoding of a file: that of its byte order mark, else that of the user, else UTF-8. */
export function findEncoding(head: Buffer, asked: string | null): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => head[at] === byte));
  return marked?.[0] ?? asked ?? 'utf-8';
}

/** Names an encoding as people write it. */
export function printEncoding(encoding: string): string {
  return encoding.startsWith('utf') ? encoding.toUpperCase() : encoding;
}

/** Text cannot be decoded. */
export class EncodingError extends Error {
  readonly #encoding: string;
  readonly #linesBefore: number;

  /** `linesBefore` is the number of line ends between the last decoded text and the fault. */
  constructor(encoding: string, linesBefore: number) {
    super('text cannot be decoded');
    this.#encoding = encoding;
    this.#linesBefore = linesBefore;
  }

  /** Makes the error for the user. `line` is the one on which the decoded text ends. */
  atLine(line: number): FileError {
    const name = printEncoding(this.#encoding);
    const fault = `line ${line + this.#linesBefore} is not ${name}`;
    const other = 'save it as CSV UTF-8 (in Excel: Save As, CSV UTF-8)';
    return new FileError(
      `${fault}; say what it is with --encoding, such as --encoding windows-1252, or ${other}`,
      `${fault}; send its charset, as in Content-Type: text/csv; charset=windows-1252, or ${other}`,
    );
  }
}

/**
 * Decodes the chunks of a file, without its byte order mark. Throws an EncodingError for bytes that the encoding does not have.
 */
export async function* decodeChunks(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) yield decode(decoder, chunk);
  yield decode(decoder);
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new EncodingError(decoder.encoding, countLinesBeforeFault(decoder.encoding, chunk));
  }
}

// A chunk can begin with the last bytes of a character, which is not a fault.
function countLinesBeforeFault(encoding: string, chunk: Uint8Array = Buffer.of()): number {
  const text = new TextDecoder(encoding).decode(chunk).replace(/^\uFFFD{1,3}/, '');
  const fault = text.indexOf('\uFFFD');
  return countLineEnds(text.slice(0, Math.max(fault, 0)));
}

/** Counts line breaks. A CRLF is one. */
export function countLineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
