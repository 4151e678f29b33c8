import { parse } from 'csv-parse/sync';

/*
 * As people write CSV: a quote in the middle of a cell is a character, rows have as many cells as they have, and
 * one file can end its lines in more than one way.
 */
const OPTIONS = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
};

/** The cells of whole rows, a list for each row; lines without a byte have none. */
export function cellsOf(rows: Buffer, delimiter: string): string[][] {
  return parse(rows, { ...OPTIONS, delimiter });
}
