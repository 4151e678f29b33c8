import { FileError } from './file-error.ts';

/** csv separates cells by `,`, `;`, `|` or tabs, and tsv by tabs. ndjson has one JSON object on each line. */
export type Format = 'csv' | 'tsv' | 'ndjson';

const ARRAY = 'a JSON array is not read; give one object a line (NDJSON)';

/** The first bytes of files that are not UTF-8 text, each with advice. */
const OPENINGS: [bytes: number[], message: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'the file is a spreadsheet (or an archive); save it as CSV UTF-8'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'the file is a spreadsheet; save it as CSV UTF-8'],
  [[0x25, 0x50, 0x44, 0x46], 'the file is a PDF; export the contacts as CSV'],
  [[0x1f, 0x8b], 'the file is compressed with gzip; import what gunzip makes of it'],
];

/** The beginnings of texts that have no columns, each with advice. Some systems give HTML the name of a spreadsheet. */
const TEXT_OPENINGS: [beginning: RegExp, message: string][] = [
  [
    /^<(?:!doctype|html|head|body|table|meta|\?xml)\b/i,
    'the file is HTML or XML, such as a web page; open it in a spreadsheet and save it as CSV UTF-8, or export it again',
  ],
  [/^BEGIN:VCARD\b/i, 'the file is a vCard; export the contacts as CSV'],
];

const BY_EXTENSION: Record<string, Format> = {
  csv: 'csv',
  tsv: 'tsv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
};

/** Throws a FileError, with advice, when the first bytes of a file are not text in the encoding. */
export function refuseBinary(head: Buffer, encoding: string): void {
  const opening = OPENINGS.find(([bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (opening !== undefined) throw new FileError(opening[1]);
  // In UTF-16, every second byte of Latin text is zero, also without a byte order mark.
  if (encoding.startsWith('utf-16') || (head[0] !== 0 && head[1] !== 0)) return;
  const likely = head[0] === 0 ? 'utf-16be' : 'utf-16le';
  const fault = 'the file seems to be in UTF-16';
  const other = 'save it as CSV UTF-8 (in Excel: Save As, CSV UTF-8)';
  throw new FileError(
    `${fault}; say so with --encoding ${likely}, or ${other}`,
    `${fault}; send its charset, as in Content-Type: text/csv; charset=${likely}, or ${other}`,
  );
}

/** A head of at least this length may be only the beginning of the text. */
const BLANK_MAX_LENGTH = 16_000;

/**
 * Detects the format of a file: the one that the user names, else that of its extension (`name` is null when it has no name),
 * else that of the first character of its text which is not blank. Throws a FileError for any other format.
 */
export function detectFormat(head: string, name: string | null, asked: Format | null): Format {
  const text = head.trimStart();
  const [first] = text;
  if (first === undefined)
    throw new FileError(
      head.length < BLANK_MAX_LENGTH
        ? 'the file is empty'
        : 'the file begins with more than 16,000 blank characters; remove them',
    );
  const opening = TEXT_OPENINGS.find(([pattern]) => pattern.test(text));
  if (opening !== undefined) throw new FileError(opening[1]);
  const format = asked ?? findFormatByName(name ?? '') ?? findFormatByText(first);
  if (format === 'ndjson' && first === '[') throw new FileError(ARRAY);
  return format;
}

function findFormatByName(name: string): Format | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (extension === 'json') throw new FileError(ARRAY);
  return BY_EXTENSION[extension];
}

function findFormatByText(first: string): Format {
  return first === '{' || first === '[' ? 'ndjson' : 'csv';
}
