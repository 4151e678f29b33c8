import { isBlank } from '../../platform/text/index.ts';
import { blocksOf } from './blocks.ts';
import { cellsOf } from './cells.ts';
import { cutterOf } from './cut.ts';
import type { Field } from './headers.ts';
import type { CsvLayout } from './layout.ts';
import type { Block, Row, Span } from './rows.ts';

/** How the rows of a file are read: the text between two cells, and the field of each column. */
export type CsvReading = Pick<CsvLayout, 'delimiter' | 'fields'>;

/** The rows of CSV from a line on, many at a time; blank ones are left out. Throws as `blocksOf` does. */
export async function* readCsv(
  pieces: AsyncIterable<Buffer>,
  reading: CsvReading,
  fromLine: number,
): AsyncGenerator<Row[]> {
  for await (const { bytes, rows } of blocksOf(pieces, cutterOf(reading.delimiter))) {
    const wanted = rows.filter(({ line }) => line >= fromLine);
    if (wanted.length > 0) yield toRows({ bytes, rows: wanted }, reading);
  }
}

function toRows({ bytes, rows }: Block, { delimiter, fields }: CsvReading): Row[] {
  const cells = cellsOf(bytes.subarray(rows[0]?.start, rows.at(-1)?.end), delimiter);
  if (cells.length !== rows.length)
    throw new Error('rows were cut where the reader of cells does not');
  return rows.flatMap((row, index) =>
    row.isBlank
      ? []
      : toRow(row, bytes.toString('utf8', row.start, row.end), cells[index] ?? [], fields),
  );
}

function toRow(row: Span, text: string, cells: string[], fields: CsvReading['fields']): Row {
  const fault = row.isTorn ? TORN : faultOf(cells, fields.length);
  return { line: row.line, text, value: toValue(cells, fields), fault };
}

const TORN =
  'The row has a quoted cell that goes over a line end and has text after its closing quote';

function faultOf(cells: string[], columns: number): string | null {
  const last = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
  return last > columns ? `The row has ${last} cells where the header has ${columns}` : null;
}

/** What the text of one row, as a `Row` has it, is to be read as. */
export function valueOfRow(text: string, { delimiter, fields }: CsvReading): unknown {
  return toValue(cellsOf(Buffer.from(text), delimiter)[0] ?? [], fields);
}

function toValue(cells: string[], fields: CsvReading['fields']): Partial<Record<Field, string>> {
  const value: Partial<Record<Field, string>> = {};
  for (const [column, field] of fields.entries()) {
    const text = cells[column];
    if (field !== null && !isBlank(text)) value[field] = field === 'tags' ? toTags(text) : text;
  }
  return value;
}

/*
 * Labels with commas between them, as an import request has them. Mailchimp puts each in quotes, HubSpot and
 * Outlook have semicolons between them, Google `:::` and an asterisk before its own.
 */
function toTags(text: string): string {
  const labels = text.replaceAll('"', '').split(/:::|[,;|\r\n]/);
  return labels.map((label) => label.replace(/^\s*\*/, '').trim()).join(',');
}
