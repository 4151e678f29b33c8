import type { ColumnMap } from './columns/column-maps.ts';
import { countFields, hasEmail, toColumns, type Columns } from './columns/columns.ts';
import { isBlankRecord, readRecords, type CsvRecord } from './csv/csv.ts';
import { FileError } from './file-error.ts';
import { detectFormat, type Format } from './format.ts';

/** The facts that are needed to read a file. */
export interface Layout extends Columns {
  encoding: string;
  /** null for NDJSON, whose objects name their fields themselves. */
  delimiter: string | null;
  /** The text of the header in the file, without its line end. */
  header: string;
  /** The first line on which a row can begin. */
  firstLine: number;
}

/** The facts about a file that its bytes do not contain. */
export interface FileOptions {
  /** Its extension names the format; null when the file has no name. */
  name: string | null;
  /** The format that the user names; null to detect it. */
  format: Format | null;
  /** The encoding that the user names; null for UTF-8. A byte order mark takes precedence. */
  encoding: string | null;
  /** The line of the header; null for the first line that is not blank. */
  headerLine: number | null;
  /** The fields that the user assigns to columns. */
  maps: ColumnMap[];
  /**
   * Whether the user can settle what is unclear later: then a header below a title is found without their help, and no column
   * need be the email.
   */
  mayBeUnclear?: boolean;
}

type DetectedLayout = Omit<Layout, 'encoding'>;

/** Detects how to read a file from the beginning of its text. Throws a FileError when that is unclear. */
export async function detectLayout(head: string, options: FileOptions): Promise<DetectedLayout> {
  const format = detectFormat(head, options.name, options.format);
  if (format !== 'ndjson') return detectCsvLayout(head, format, options);
  if (options.maps.length > 0) {
    const reason = 'is for columns; an object of NDJSON names its fields itself';
    throw new FileError(`--map ${reason}`, `mapping ${reason}`);
  }
  return { delimiter: null, header: '', firstLine: 1, ...NO_COLUMNS };
}

const NO_COLUMNS: Columns = {
  fields: [],
  shared: [],
  isReport: false,
  isLastFirst: false,
  idColumns: [],
  names: [],
  ignored: [],
};

/** Chooses the delimiter with which most columns are recognized, or else the one that gives the most columns. */
async function detectCsvLayout(
  head: string,
  format: Format,
  options: FileOptions,
): Promise<DetectedLayout> {
  const { maps, headerLine, mayBeUnclear } = options;
  const delimiters = listDelimiters(head, format === 'tsv' ? ['\t'] : undefined);
  const headers = await Promise.allSettled(
    delimiters.map((delimiter) => readHeader(head, delimiter, headerLine)),
  );
  const [best] = headers
    .flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    .map((header) => ({ ...header, count: countFields(header.cells, maps) }))
    .toSorted((a, b) => b.count - a.count || b.cells.length - a.cells.length);
  if (best === undefined) throw (headers[0] as PromiseRejectedResult).reason;
  const { delimiter, text, line, cells } = best;
  const layout = { delimiter, header: text, firstLine: line + 1 };
  try {
    return { ...layout, ...toColumns(cells, maps) };
  } catch (error) {
    const found = headerLine === null ? await findLaterHeader(head, delimiters) : undefined;
    const later = found === line ? undefined : found;
    if (mayBeUnclear === true)
      return later === undefined
        ? { ...layout, ...toColumns(cells, maps, { mayLackEmail: true }) }
        : detectCsvLayout(head, format, { ...options, headerLine: later });
    if (later === undefined || !(error instanceof FileError)) throw error;
    const hint = `line ${later} seems to name the columns: say so with --header-line ${later}`;
    throw new FileError(`${error.message}; ${hint}`);
  }
}

const DELIMITERS = [',', ';', '\t', '|'];
/** A line above the header that names the delimiter for Excel, such as `sep=;`. */
const SEPARATOR_LINE = /^sep=([,;|\t])\r?$/i;

/** Lists the delimiters that a file can have: the one that its first line names, or else all candidates. */
export function listDelimiters(head: string, candidates = DELIMITERS): string[] {
  const hinted = SEPARATOR_LINE.exec(head.slice(0, head.indexOf('\n')))?.[1];
  return hinted === undefined ? candidates : [hinted];
}

/** The most rows above the header: a spreadsheet may begin with a title. */
export const TITLE_MAX_ROWS = 30;

/** Finds the line of a header below a title. */
async function findLaterHeader(head: string, delimiters: string[]): Promise<number | undefined> {
  for (const delimiter of delimiters)
    for await (const records of readRecords([head], delimiter)) {
      const header = records.slice(0, TITLE_MAX_ROWS).find(({ cells }) => hasEmail(cells));
      if (header !== undefined) return header.line;
      break;
    }
  return undefined;
}

/** Reads the header: the row on the line that the user names, or the first one that is neither blank nor a separator line. */
async function readHeader(
  head: string,
  delimiter: string,
  line: number | null,
): Promise<CsvRecord & { delimiter: string }> {
  for await (const records of readRecords([head], delimiter)) {
    const header = records.find(
      (record) =>
        record.line >= (line ?? 1) && !isBlankRecord(record) && !SEPARATOR_LINE.test(record.text),
    );
    if (header === undefined) continue;
    if (header.fault !== null) throw new FileError('the header opens a quote that is never closed');
    return { ...header, delimiter };
  }
  throw new FileError('no line names the columns, such as email, first name, mobile');
}
