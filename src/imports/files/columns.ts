import { FileError, listed, shown } from './faults.ts';
import { nameKey, recognize, type Field } from './headers.ts';
import type { ColumnMap } from './maps.ts';

/** The columns that a report of refused rows puts before those of the file. */
export const REPORT_COLUMNS = ['offplan_line', 'offplan_reason'];

/** What the columns of a file are. */
export interface Columns {
  /** One for each column up to the last that has a header; null: it is not imported. */
  fields: (Field | null)[];
  /** The columns that nobody left out and that are no field, as a line can tell them: `"Owner"`. */
  ignored: string[];
}

/**
 * Which column is which field: as the maps say, else as its header is recognized; of two columns for one field
 * it is the one whose header is closer to the field's name, else the first. Throws a FileError when there is no
 * column for the email, when a map names a header that there is not, and for a first line that names nothing.
 */
export function toColumns(headers: string[], maps: ColumnMap[]): Columns {
  const named = headers.slice(0, headers.findLastIndex((header) => header.trim() !== '') + 1);
  const fields = fieldsOf(named, maps);
  requireHeaders(named, fields);
  requireMapped(named, maps);
  requireEmail(named, fields);
  const leftOut = leftOutBy(named, maps);
  const ignored = named.flatMap((_header, column) =>
    fields[column] !== null || leftOut.has(column) ? [] : [told(named, fields, column)],
  );
  return { fields, ignored };
}

function told(headers: string[], fields: (Field | null)[], column: number): string {
  const header = headers[column] ?? '';
  const name = shown(header) === '' ? `column ${column + 1}` : `"${shown(header)}"`;
  const field = recognize(header)?.field;
  const used = field === undefined ? -1 : fields.indexOf(field);
  const other = headers[used];
  if (other === undefined) return name;
  return other === header
    ? toldAmongTwins(headers, column, used)
    : `${name} ("${shown(other)}" is used for ${field})`;
}

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth'];

function toldAmongTwins(headers: string[], column: number, used: number): string {
  const header = headers[column] ?? '';
  const twins = headers.flatMap((each, at) => (each === header ? at : []));
  const [place, usedPlace] = [column, used].map((at) => PLACES[twins.indexOf(at)]);
  return place === undefined || usedPlace === undefined
    ? `column ${column + 1} "${shown(header)}" (column ${used + 1} is used)`
    : `the ${place} column "${shown(header)}" (the ${usedPlace} one is used)`;
}

/** How many columns `toColumns` would find a field for. */
export function countFields(headers: string[], maps: ColumnMap[]): number {
  return fieldsOf(headers, maps).filter((field) => field !== null).length;
}

function fieldsOf(headers: string[], maps: ColumnMap[]): (Field | null)[] {
  const mapped = new Map(maps.map((map) => [columnOf(headers, map), map.field]));
  const closest = new Map<Field, { column: number; distance: number }>();
  for (const [column, header] of headers.entries()) {
    const field = mapped.get(column);
    const claim = field === undefined ? recognize(header) : field && { field, distance: -1 };
    if (claim && claim.distance < (closest.get(claim.field)?.distance ?? Infinity))
      closest.set(claim.field, { column, distance: claim.distance });
  }
  const fields = headers.map((): Field | null => null);
  for (const [field, { column }] of closest) fields[column] = field;
  return fields;
}

// -1 when there is none.
function columnOf(headers: string[], { header }: ColumnMap): number {
  const exact = headers.findIndex((each) => each.trim() === header);
  const key = nameKey(header);
  if (exact !== -1 || key === '') return exact;
  return headers.findIndex((each) => nameKey(each) === key);
}

function leftOutBy(headers: string[], maps: ColumnMap[]): Set<number> {
  const own = headers.flatMap((header, column) =>
    REPORT_COLUMNS.includes(header.trim()) ? column : [],
  );
  const mapped = maps.filter(({ field }) => field === null);
  return new Set([...own, ...mapped.map((map) => columnOf(headers, map))]);
}

// What looks like people is not shown: errors hold no personal data.
function requireHeaders(headers: string[], fields: (Field | null)[]): void {
  if (fields.includes('email') || !headers.some((header) => /\S@\S/.test(header))) return;
  throw new FileError('the first line must name the columns, such as email, first name, mobile');
}

function requireMapped(headers: string[], maps: ColumnMap[]): void {
  const unknown = maps.find((map) => columnOf(headers, map) === -1);
  if (unknown === undefined) return;
  const { header } = unknown;
  throw new FileError(`--map: no column is "${shown(header)}"; the columns are ${listed(headers)}`);
}

function requireEmail(headers: string[], fields: (Field | null)[]): void {
  if (fields.includes('email')) return;
  const likely =
    headers.find((header) => /mail/i.test(header) && shown(header) === header) ?? 'Their header';
  const map = `--map '${shown(likely).replaceAll("'", `'\\''`)}=email'`;
  throw new FileError(
    `no column is the email; say which with ${map}; the columns are ${listed(headers)}`,
  );
}
