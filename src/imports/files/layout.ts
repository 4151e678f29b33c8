import { countFields, toColumns, type Columns } from './columns.ts';
import { FileError } from './faults.ts';
import { formatOf, type Format } from './format.ts';
import { readHeaders } from './header.ts';
import { toMaps, type ColumnMap } from './maps.ts';
import { notUtf8 } from './utf8.ts';

export interface CsvLayout extends Columns {
  format: 'csv';
  delimiter: string;
  /** The text of the header as it is in the file, without its line end. */
  header: string;
  /** The line after the header, the first on which a row can begin. */
  firstLine: number;
}

/** How a file is to be read. */
export type Layout = CsvLayout | { format: 'ndjson' };

/** What is known of a file beside its bytes. */
export interface FileOptions {
  /** Its extension tells the format; null: the file has no name. */
  name: string | null;
  /** The format that was asked for; null: none was. */
  format: Format | null;
  /** The values of `--map`, each `Their header=field`. */
  maps: string[];
}

const DELIMITERS = [',', ';', '\t', '|'];

/**
 * How a file is to be read that begins with `head`, without its byte order mark; `isWhole`: there is no more of
 * it. Throws a FileError when it cannot be told.
 */
export function layoutOf(head: Buffer, isWhole: boolean, options: FileOptions): Layout {
  const format = formatOf(head, options.name, options.format);
  const maps = toMaps(options.maps);
  if (format !== 'ndjson') return csvLayoutOf(head, isWhole, format, maps);
  if (maps.length === 0) return { format };
  throw new FileError('--map is for columns; an object of NDJSON names its fields itself');
}

function csvLayoutOf(head: Buffer, isWhole: boolean, format: Format, maps: ColumnMap[]): CsvLayout {
  const [best] = readHeaders(head, isWhole, format === 'tsv' ? ['\t'] : DELIMITERS)
    .map((header) => ({ ...header, count: countFields(header.cells, maps) }))
    .toSorted((a, b) => b.count - a.count || b.cells.length - a.cells.length);
  if (best === undefined)
    throw new FileError('the first line opens a quote that is never closed, or is too long');
  const { text, cells, delimiter, nextLine, notUtf8Line } = best;
  if (notUtf8Line !== null) throw new FileError(notUtf8(notUtf8Line));
  const columns = toColumns(cells, maps);
  return { format: 'csv', delimiter, header: text, firstLine: nextLine, ...columns };
}
