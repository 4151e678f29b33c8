import { unguardCell } from '../../../platform/text/index.ts';
import { isIdField } from '../../id-fields.ts';
import { FileError, listNames, printName } from '../file-error.ts';
import { findMapped, requireMapped, type ColumnMap } from './column-maps.ts';
import {
  ADDRESS_FIELDS,
  recognize,
  toNameKey,
  type FileField,
  type Recognized,
} from './field-names.ts';
import { isLastFirst } from './person-names.ts';

/** The columns that a report of refused rows has before the columns of the file. */
export const REPORT_COLUMNS = ['offplan_line', 'offplan_row', 'offplan_reason'];
/** The columns that the report of an uploaded file has before the columns of the file. `offplan_row` is the line. */
export const UPLOAD_REPORT_COLUMNS = ['offplan_row', 'offplan_code', 'offplan_reason'];
/** The names of all columns that a report adds. */
export const ADDED_COLUMNS = [...new Set([...REPORT_COLUMNS, ...UPLOAD_REPORT_COLUMNS])];

/** A column that shares its field with another column, or an address column in a file with several addresses. */
interface SharedColumn {
  at: number;
  /** Its header, as a note shows it. */
  header: string;
  /** The kind of its address, such as `mailing`. */
  address?: string;
}

/** The meaning of the columns of a file. */
export interface Columns {
  /** The field of each column of the header; null for a column that is not imported. */
  fields: (FileField | null)[];
  /** The preferred column of a field comes first. */
  shared: SharedColumn[];
  isReport: boolean;
  /** Whether the header of the name says that the last name comes first. */
  isLastFirst: boolean;
  /** The columns of ids that no map names. */
  idColumns: number[];
  /** The columns as messages name them: `"Owner"`, `second column "Phone"`, `column 7`. */
  names: string[];
  /** The names of the columns without a field, except those that the user has left out. */
  ignored: string[];
}

/**
 * Decides the field of each column: that of a map, or else the one by which its header is recognized. Throws a FileError when no
 * column is the email (unless the file `mayLackEmail`), when a map names a missing header, and when the first line is not a
 * header.
 */
export function toColumns(
  cells: string[],
  maps: ColumnMap[],
  { mayLackEmail = false }: { mayLackEmail?: boolean } = {},
): Columns {
  const first = cells[0]?.trim();
  const isReport = first === REPORT_COLUMNS[0] || first === UPLOAD_REPORT_COLUMNS[0];
  const headers = isReport ? cells.map(unguardCell) : cells;
  const matches = matchColumns(headers, maps);
  const mapped = new Set(maps.map((map) => findMapped(headers, map)));
  const fields = placeEnquiryDates(
    matches.map((match) => match?.field ?? null),
    mapped,
  );
  requireHeaders(headers, fields);
  requireMapped(headers, maps);
  if (!mayLackEmail) requireEmail(headers, fields);
  const leftOut = findLeftOut(headers, maps);
  const ignored = fields.flatMap((field, at) => (field !== null || leftOut.has(at) ? [] : [at]));
  const names = nameColumns(headers);
  return {
    fields,
    shared: findShared(headers, matches),
    isReport,
    isLastFirst: headers.some(
      (header, at) => fields[at] === 'name' && isLastFirst(toNameKey(header)),
    ),
    idColumns: fields.flatMap((field, at) => (isIdField(field) && !mapped.has(at) ? at : [])),
    names,
    ignored: listColumns(ignored, headers, names),
  };
}

/** Uses the date of an enquiry as the contact's `createdAt` when the file has neither notes nor a column for `createdAt`. */
function placeEnquiryDates(fields: Columns['fields'], mapped: Set<number>): Columns['fields'] {
  if (fields.includes('notes') || fields.includes('createdAt')) return fields;
  return fields.map((field, at) => (field === 'noteDate' && !mapped.has(at) ? 'createdAt' : field));
}

/** Whether one of the cells is a header of the email: then the row can be the header line. */
export function hasEmail(headers: string[]): boolean {
  return headers.some((header) => recognize(header)?.field === 'email');
}

/** Counts the fields that `toColumns` finds for these columns. */
export function countFields(headers: string[], maps: ColumnMap[]): number {
  return new Set(matchColumns(headers, maps).flatMap((match) => match?.field ?? [])).size;
}

function matchColumns(headers: string[], maps: ColumnMap[]): (Recognized | null)[] {
  const mapped = new Map(maps.map((map, index) => [findMapped(headers, map), { map, index }]));
  return headers.map((header, at) => {
    const { map, index = 0 } = mapped.get(at) ?? {};
    if (map === undefined) return recognize(header);
    // Mapped columns come before recognized ones, in the order of the maps.
    return map.field && { field: map.field, distance: index - maps.length };
  });
}

interface Match extends Recognized {
  at: number;
}

/**
 * Finds the columns that share a field, and those of several addresses, by the closeness of their headers and then from left to
 * right.
 */
function findShared(headers: string[], recognized: (Recognized | null)[]): SharedColumn[] {
  const matches = recognized.flatMap((match, at): Match[] => (match ? [{ ...match, at }] : []));
  const matchesOf = Map.groupBy(matches, ({ field }) => field);
  const isShared = (field: FileField) => (matchesOf.get(field)?.length ?? 0) > 1;
  const hasAddresses = [...ADDRESS_FIELDS].some(isShared);
  return matches
    .filter(({ field }) => isShared(field) || (hasAddresses && ADDRESS_FIELDS.has(field)))
    .toSorted((a, b) => a.distance - b.distance || a.at - b.at)
    .map(({ at, field, address }) => ({
      at,
      header: printName(headers[at] ?? ''),
      ...(ADDRESS_FIELDS.has(field) && { address: address ?? '' }),
    }));
}

/** Fields that combine the values of all their columns. Other fields take the first filled one. */
const COMBINED_FIELDS = new Set<FileField | null>(['tag', 'tags', 'noEmail', 'noCalls']);

/**
 * Describes the fields that several columns have: `email is "Work Email", else "Personal Email"`, and `tags is "Labels" and
 * "Groups"`.
 */
export function describeShared({ fields, shared, names }: Columns): string[] {
  const columns = Map.groupBy(shared, ({ at }) => fields[at] ?? null);
  return [...columns]
    .filter(([, { length }]) => length > 1)
    .map(([field, all]) => {
      const separator = COMBINED_FIELDS.has(field) ? ' and ' : ', else ';
      return `${field} is ${all.map(({ at }) => names[at]).join(separator)}`;
    });
}

const UNNAMED_MAX_COUNT = 5;

/** Lists columns by their names. Many columns without a header are one entry. */
function listColumns(columns: number[], headers: string[], names: string[]): string[] {
  const unnamed = new Set(columns.filter((at) => printName(headers[at] ?? '') === ''));
  const areMany = unnamed.size > UNNAMED_MAX_COUNT;
  const listed = columns.filter((at) => !areMany || !unnamed.has(at)).map((at) => names[at] ?? '');
  return areMany ? [...listed, `${unnamed.size} columns without a header`] : listed;
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Names columns by their headers: `second column "Phone"` when several have the same, `column 7` when it has none. */
function nameColumns(headers: string[]): string[] {
  const printed = headers.map(printName);
  const columnsOf = Map.groupBy(printed.keys(), (at) => printed[at]);
  return printed.map((header, at) => {
    if (header === '') return `column ${at + 1}`;
    const same = columnsOf.get(header) ?? [];
    if (same.length === 1) return `"${header}"`;
    const ordinal = ORDINALS[same.slice(0, ORDINALS.length).indexOf(at)];
    return ordinal === undefined ? `column ${at + 1} "${header}"` : `${ordinal} column "${header}"`;
  });
}

function findLeftOut(headers: string[], maps: ColumnMap[]): Set<number> {
  const own = headers.flatMap((header, column) =>
    ADDED_COLUMNS.includes(header.trim()) ? column : [],
  );
  const mapped = maps.filter(({ field }) => field === null);
  return new Set([...own, ...mapped.map((map) => findMapped(headers, map))]);
}

// The message does not show the line, which may hold personal data.
function requireHeaders(headers: string[], fields: Columns['fields']): void {
  if (fields.includes('email') || !headers.some((header) => /\S@\S/.test(header))) return;
  throw new FileError('the first line must name the columns, such as email, first name, mobile');
}

function requireEmail(headers: string[], fields: Columns['fields']): void {
  if (fields.includes('email')) return;
  const columns = `the columns are ${listNames(headers)}`;
  throw new FileError(
    `no column is the email; say which with --map 'Their header=email'; ${columns}`,
    `no column is the email; say which in mapping; ${columns}`,
  );
}
