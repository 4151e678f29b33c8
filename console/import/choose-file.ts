import { texts } from './texts.ts';

/** The way to send a file, or the reason why it cannot be sent. */
export type ChosenFile =
  | { contentType: string; isGuess: boolean; refusal?: never }
  | { refusal: string };

const MAX_BYTES = 64 * 1024 * 1024;
const SPREADSHEET = /\.(xlsx?|xlsm|xlsb|ods|numbers)$/i;
const JSON_NAME = /\.json$/i;
/** The first bytes of spreadsheet files: of a zip archive (`.xlsx`), and of the older format (`.xls`). */
const SPREADSHEET_BYTES = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Nearly every file that is no text has a zero byte at its beginning. */
const HEAD_BYTES = 512;

/** Detects the format of a file by its name, and its encoding by its bytes. */
export async function chooseFile(file: File): Promise<ChosenFile> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const isSpreadsheet = SPREADSHEET_BYTES.some((bytes) =>
    bytes.every((byte, at) => head[at] === byte),
  );
  if (isSpreadsheet || SPREADSHEET.test(file.name)) return { refusal: texts.file.spreadsheet };
  if (JSON_NAME.test(file.name)) return { refusal: texts.file.json };
  if (file.size === 0) return { refusal: texts.file.empty };
  if (file.size > MAX_BYTES) return { refusal: texts.file.tooLarge };
  const type = nameType(file.name);
  if (file.type.startsWith('image/')) return { refusal: texts.file.picture };
  const encoding = await findEncoding(file, head);
  if (!isText(head, encoding)) return { refusal: texts.file.noText };
  if (encoding === undefined) return { contentType: type, isGuess: false };
  return { contentType: `${type}; charset=${encoding}`, isGuess: encoding === SINGLE_BYTES };
}

function nameType(name: string): string {
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'application/x-ndjson';
  return /\.tsv$/i.test(name) ? 'text/tab-separated-values' : 'text/csv';
}

/** The encoding to assume when the bytes are not UTF-8 or UTF-16: Excel for Windows saves "CSV" in it. */
const SINGLE_BYTES = 'windows-1252';

function isText(head: Uint8Array, encoding: string | undefined): boolean {
  const start = new TextDecoder(encoding).decode(head);
  return isMarked(head) || !(start.includes('\0') || start.startsWith('%PDF'));
}

/** Returns whether a file begins with the byte order mark of UTF-16. */
const isMarked = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** Detects the encoding. Returns undefined for UTF-8, and for a file with a byte order mark, which the service reads. */
async function findEncoding(file: File, head: Uint8Array): Promise<string | undefined> {
  if (isMarked(head)) return undefined;
  const [first, second] = head;
  if (first === 0) return 'utf-16be';
  if (second === 0) return 'utf-16le';
  return (await isUtf8(file)) ? undefined : SINGLE_BYTES;
}

async function isUtf8(file: File): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      decoder.decode(value, { stream: !done });
      if (done) return true;
    }
  } catch (error) {
    await reader.cancel();
    if (error instanceof TypeError) return false;
    throw error;
  }
}
