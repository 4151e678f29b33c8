import { FileError, shown } from './faults.ts';
import { FIELDS, nameKey, type Field } from './headers.ts';

/** What one `--map` says: the column with this header is this field; null: it is left out. */
export interface ColumnMap {
  header: string;
  field: Field | null;
}

const BY_KEY = new Map(FIELDS.map((field) => [nameKey(field), field]));

/**
 * Reads the values of `--map`, each `Their header=field`; a header may hold `=`. Throws a FileError for what is
 * no field, and for a field or a header that is named twice.
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
    throw new FileError(`--map must be 'Their header=field', not "${shown(flag)}"`);
  if (name === '') return { header, field: null };
  const field = BY_KEY.get(nameKey(name));
  if (field !== undefined) return { header, field };
  throw new FileError(
    `--map: "${shown(name)}" is not a field; the fields are ${FIELDS.join(', ')}`,
  );
}

function requireOnce(names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new FileError(`--map names "${shown(twice)}" twice`);
}
