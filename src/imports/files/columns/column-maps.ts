import { FileError, listNames, printName } from '../file-error.ts';
import { FIELDS, toNameKey, type FileField } from './field-names.ts';

/** One `--map`: assigns a field to the column with this header. The field is null when the column is left out. */
export interface ColumnMap {
  header: string;
  field: FileField | null;
}

const BY_KEY = new Map(FIELDS.map((field) => [toNameKey(field), field]));

/**
 * Reads the values of `--map`, each `Their header=field`; a header may contain `=`. Throws a FileError for a name that is
 * not a field, and for a header that is named twice.
 */
export function toMaps(flags: string[]): ColumnMap[] {
  const maps = flags.map(toMap);
  const headers = maps.map(({ header }) => header);
  const twice = headers.find((header, index) => headers.indexOf(header) !== index);
  if (twice !== undefined) throw new FileError(`--map names "${printName(twice)}" twice`);
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

/**
 * Finds the column of a map: the one with an equal header, or else one whose header differs only in case and punctuation; -1 when
 * there is none.
 */
export function findMapped(headers: string[], { header }: ColumnMap): number {
  const exact = headers.findIndex((each) => each.trim() === header);
  const key = toNameKey(header);
  if (exact !== -1 || key === '') return exact;
  return headers.findIndex((each) => toNameKey(each) === key);
}

/** Throws a FileError when a map names a header that the file does not have. */
export function requireMapped(headers: string[], maps: ColumnMap[]): void {
  const unknown = maps.find((map) => findMapped(headers, map) === -1);
  if (unknown === undefined) return;
  const { header } = unknown;
  const fault = `no column is "${printName(header)}"; the columns are ${listNames(headers)}`;
  throw new FileError(`--map: ${fault}`, `mapping: ${fault}`);
}
