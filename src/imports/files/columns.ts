import { FIELDS, toNameKey, recognize, type Field } from './field-names.ts';
import { FileError, listNames, printName } from './file-error.ts';

/** The columns that a report of refused rows has before the columns of the file. */
export const REPORT_COLUMNS = ['offplan_line', 'offplan_reason'];

/** The meaning of the columns of a file. */
export interface Columns {
  /** One entry for each column up to the last that has a header; null: the column is not imported. */
  fields: (Field | null)[];
  /** The columns that have no field although the user left none of them out, as the output names them: `"Owner"`. */
  ignored: string[];
}

/**
 * Decides the field of each column: as the maps say, or else as its header is recognized. If two columns fit one field,
 * the one with the closer header has it, or else the first. Throws a FileError when no column is the email, when a map
 * names a missing header, and when the first line is not a header.
 */
export function toColumns(headers: string[], maps: ColumnMap[]): Columns {
  const named = headers.slice(0, headers.findLastIndex((header) => header.trim() !== '') + 1);
  const fields = assignFields(named, maps);
  requireHeaders(named, fields);
  requireMapped(named, maps);
  requireEmail(named, fields);
  const leftOut = findLeftOut(named, maps);
  const ignored = named.flatMap((_header, column) =>
    fields[column] !== null || leftOut.has(column) ? [] : [describeIgnored(named, fields, column)],
  );
  return { fields, ignored };
}

function describeIgnored(headers: string[], fields: (Field | null)[], column: number): string {
  const name = nameColumn(headers, column);
  const field = recognize(headers[column] ?? '')?.field;
  const used = field === undefined ? -1 : fields.indexOf(field);
  return used === -1 ? name : `${name} (${nameColumn(headers, used)} is used for ${field})`;
}

/** Names a column by its header, and by its number when it has no header or shares it with another column. */
function nameColumn(headers: string[], column: number): string {
  const header = printName(headers[column] ?? '');
  if (header === '') return `column ${column + 1}`;
  const isShared = headers.filter((each) => printName(each) === header).length > 1;
  return isShared ? `column ${column + 1} "${header}"` : `"${header}"`;
}

/** Counts the columns for which `toColumns` finds a field. */
export function countFields(headers: string[], maps: ColumnMap[]): number {
  return assignFields(headers, maps).filter((field) => field !== null).length;
}

function assignFields(headers: string[], maps: ColumnMap[]): (Field | null)[] {
  const mapped = new Map(maps.map((map) => [findColumn(headers, map), map.field]));
  const closest = new Map<Field, { column: number; distance: number }>();
  for (const [column, header] of headers.entries()) {
    const field = mapped.get(column);
    const match = field === undefined ? recognize(header) : field && { field, distance: -1 };
    if (match && match.distance < (closest.get(match.field)?.distance ?? Infinity))
      closest.set(match.field, { column, distance: match.distance });
  }
  const fields = headers.map((): Field | null => null);
  for (const [field, { column }] of closest) fields[column] = field;
  return fields;
}

// -1: no column has this header.
function findColumn(headers: string[], { header }: ColumnMap): number {
  const exact = headers.findIndex((each) => each.trim() === header);
  const key = toNameKey(header);
  if (exact !== -1 || key === '') return exact;
  return headers.findIndex((each) => toNameKey(each) === key);
}

function findLeftOut(headers: string[], maps: ColumnMap[]): Set<number> {
  const own = headers.flatMap((header, column) =>
    REPORT_COLUMNS.includes(header.trim()) ? column : [],
  );
  const mapped = maps.filter(({ field }) => field === null);
  return new Set([...own, ...mapped.map((map) => findColumn(headers, map))]);
}

// The message does not show the line, which may hold personal data.
function requireHeaders(headers: string[], fields: (Field | null)[]): void {
  if (fields.includes('email') || !headers.some((header) => /\S@\S/.test(header))) return;
  throw new FileError('the first line must name the columns, such as email, first name, mobile');
}

function requireMapped(headers: string[], maps: ColumnMap[]): void {
  const unknown = maps.find((map) => findColumn(headers, map) === -1);
  if (unknown === undefined) return;
  const { header } = unknown;
  throw new FileError(
    `--map: no column is "${printName(header)}"; the columns are ${listNames(headers)}`,
  );
}

function requireEmail(headers: string[], fields: (Field | null)[]): void {
  if (fields.includes('email')) return;
  throw new FileError(
    `no column is the email; say which with --map 'Their header=email'; the columns are ${listNames(headers)}`,
  );
}

/** One `--map`: the column with this header is this field; null: it is left out. */
export interface ColumnMap {
  header: string;
  field: Field | null;
}

const BY_KEY = new Map(FIELDS.map((field) => [toNameKey(field), field]));

/**
 * Reads the values of `--map`, each `Their header=field`; a header may contain `=`. Throws a FileError for a name that is
 * not a field, and for a field or a header that is named twice.
 */
export function toMaps(flags: string[]): ColumnMap[] {
  const maps = flags.map(toMap);
  requireOnce(maps.map(({ header }) => header));
  requireOnce(maps.map(({ field }) => field).filter((field) => field !== null));
  return maps;
}

function toMap(flag: string): ColumnMap {
  const at = flag.lastIndexOf('=');
  const header = flag.slice(0, Math.max(at, 0)).trim();
  const name = flag.slice(at + 1).trim();
  if (header === '')
    throw new FileError(`--map must be 'Their header=field', not "${printName(flag)}"`);
  if (name === '') return { header, field: null };
  const field = BY_KEY.get(toNameKey(name));
  if (field !== undefined) return { header, field };
  throw new FileError(
    `--map: "${printName(name)}" is not a field; the fields are ${FIELDS.join(', ')}`,
  );
}

function requireOnce(names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new FileError(`--map names "${printName(twice)}" twice`);
}
