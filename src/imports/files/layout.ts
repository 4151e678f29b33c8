import { countFields, toColumns, toMaps, type ColumnMap, type Columns } from './columns.ts';
import { readHeader } from './csv.ts';
import { FileError } from './file-error.ts';
import { detectFormat, type Format } from './format.ts';
import { countLineEnds, requireUtf8Lines } from './utf8.ts';

export interface CsvLayout extends Columns {
  format: 'csv';
  delimiter: string;
  /** The text of the header in the file, without its line end. */
  header: string;
  /** The line after the header, the first on which a row can begin. */
  firstLine: number;
}

/** How to read a file. */
export type Layout = CsvLayout | { format: 'ndjson' };

/** The facts about a file that are not in its bytes. */
export interface FileOptions {
  /** The extension names the format; null: the file has no name. */
  name: string | null;
  /** The format that the user names; null: detect it. */
  format: Format | null;
  /** The values of `--map`, each `Their header=field`. */
  maps: string[];
}

const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Detects the layout of a file that begins with `head`, without its byte order mark; `isWhole`: the file ends with `head`.
 * Throws a FileError when the layout is unclear.
 */
export function detectLayout(head: Buffer, isWhole: boolean, options: FileOptions): Layout {
  const format = detectFormat(head, options.name, options.format);
  const maps = toMaps(options.maps);
  if (format !== 'ndjson') return detectCsvLayout(head, isWhole, format, maps);
  if (maps.length === 0) return { format };
  throw new FileError('--map is for columns; an object of NDJSON names its fields itself');
}

function detectCsvLayout(
  head: Buffer,
  isWhole: boolean,
  format: Format,
  maps: ColumnMap[],
): CsvLayout {
  // Excel reads a line `sep=;` above the header as the delimiter.
  const [hint = '', hinted] = /^sep=([,;|\t])\r?\n/i.exec(head.toString('latin1', 0, 7)) ?? [];
  const candidates = format === 'tsv' ? ['\t'] : DELIMITERS;
  const [best] = (hinted === undefined ? candidates : [hinted])
    .flatMap((delimiter) => {
      const header = readHeader(head.subarray(hint.length), isWhole, delimiter);
      return header === null
        ? []
        : { ...header, delimiter, count: countFields(header.cells, maps) };
    })
    .toSorted((a, b) => b.count - a.count || b.cells.length - a.cells.length);
  if (best === undefined)
    throw new FileError('the first line opens a quote that is never closed, or is too long');
  const { text, cells, delimiter } = best;
  const bytes = head.subarray(0, hint.length + best.bytes);
  requireUtf8Lines(bytes, 1);
  const isLast = !/[\r\n]$/.test(bytes.toString('latin1'));
  const firstLine = 1 + countLineEnds(bytes) + (isLast ? 1 : 0);
  return { format: 'csv', delimiter, header: text, firstLine, ...toColumns(cells, maps) };
}
