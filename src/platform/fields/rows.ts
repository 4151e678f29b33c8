import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { isBlank } from '../text/index.ts';
import { FORMATS } from './formats.ts';
import type { StoredRow } from './schemas.ts';

/** The fields of a row that a request, or an entry of a file, gives. A field that is left out stays as it is. */
export type Entry<Fields extends TProperties> = Static<TObject<Fields>>;

/** The reason why a value is refused: the JSON pointer (RFC 6901) to the field, and a sentence. */
export interface FieldFault {
  pointer: string;
  detail: string;
}

/** The effect of a write on a row. */
export type Change = 'created' | 'updated' | 'unchanged';

/** The row that results from an entry. The caller must not write a row with faults. */
export interface RowPlan<Row> {
  row: Row;
  change: Change;
  faults: FieldFault[];
}

/** Converts the value of a field from an entry to the database, and back. */
interface Converter {
  toStored: (value: never) => unknown;
  toEntry: (value: never) => unknown;
}

/** A kind of row: the converters of its fields, and for a new row the required fields and the defaults. */
export interface RowKind<Fields extends TProperties> {
  noun: string;
  converters: [field: keyof Fields & string, converter: Converter | undefined][];
  required: string[];
  defaults: StoredRow<Fields>;
}

/**
 * Defines a kind of row. A field that allows null is null by default. A new row requires each other field that has no
 * default.
 */
export function defineRow<Fields extends TProperties>(
  noun: string,
  fields: Fields,
  defaults: Partial<StoredRow<Fields>> = {},
): RowKind<Fields> {
  const schemas = Object.entries(fields);
  const names = schemas.map(([field]) => field);
  const isNullable = (field: string) => [fields[field]].flatMap(listTypes).includes('null');
  return {
    noun,
    converters: schemas.map(([field, schema]) => [field, findConverter(schema)]),
    required: names.filter((field) => !isNullable(field) && !(field in defaults)),
    defaults: {
      ...Object.fromEntries(names.map((field) => [field, isNullable(field) ? null : ''])),
      ...defaults,
    } as StoredRow<Fields>,
  };
}

interface Schema {
  type?: unknown;
  format?: string;
  anyOf?: { format?: string }[];
  properties?: object;
  items?: unknown;
}

const listTypes = (schema: Schema | undefined): unknown[] => [schema?.type].flat();

const IMAGE: Converter = {
  toStored: ({ key }: { key: string }) => key,
  toEntry: (key: string) => ({ key }),
};

type GivenPicture = { key: string; alt?: string | null };

const PICTURE: Converter = {
  toStored: ({ key, alt }: GivenPicture) => (isBlank(alt) ? { key } : { key, alt }),
  toEntry: (picture) => picture,
};

const PICTURES: Converter = {
  // `readAccountFile` replaces a faulty picture, or its key, by undefined.
  toStored: (pictures: (Partial<GivenPicture> | undefined)[]) =>
    pictures.flatMap((picture) =>
      picture?.key === undefined ? [] : [PICTURE.toStored(picture as never)],
    ),
  toEntry: (pictures) => pictures,
};

function findConverter(schema: TSchema): Converter | undefined {
  const { format, anyOf, properties, items }: Schema = schema;
  if (items !== undefined) return PICTURES;
  if (properties !== undefined) return 'alt' in properties ? PICTURE : IMAGE;
  const storedFormat = FORMATS[format ?? anyOf?.at(-1)?.format ?? ''];
  return storedFormat && { toStored: storedFormat.toStored, toEntry: (value) => value };
}

/** Applies an entry to the stored row, or to a new row. An entry cannot give `systemValues`, such as the id. */
export function planRow<Fields extends TProperties, Row extends StoredRow<Fields>>(
  kind: RowKind<Fields>,
  stored: Row | undefined,
  entry: Entry<Fields>,
  systemValues: Omit<Row, keyof Fields>,
): RowPlan<Row> {
  const values = {
    ...systemValues,
    ...convertFields(kind.converters, entry, 'toStored'),
  } as Partial<Row>;
  if (stored === undefined) {
    const row = { ...kind.defaults, ...values } as Row;
    return { row, change: 'created', faults: findMissingFields(kind, entry) };
  }
  const change = isChanged(stored, values) ? 'updated' : 'unchanged';
  return { row: { ...stored, ...values }, change, faults: [] };
}

/** Replaces each blank text by null, which empties its field. */
export function emptyBlanks<Texts extends object>(texts: Texts): Texts {
  const entries = Object.entries(texts).map(([field, value]) => [
    field,
    typeof value === 'string' && isBlank(value) ? null : value,
  ]);
  return Object.fromEntries(entries) as Texts;
}

/** Finds the required fields that an entry for a new row lacks. */
export function findMissingFields<Fields extends TProperties>(
  { noun, required }: RowKind<Fields>,
  entry: Entry<Fields>,
): FieldFault[] {
  return required
    .filter((field) => Reflect.get(entry, field) === undefined)
    .map((field) => ({ pointer: `/${field}`, detail: `is required for a new ${noun}.` }));
}

/** Converts a stored row to an entry, with the fields in the order in which the kind defines them. */
export function toEntry<Fields extends TProperties>(
  { converters }: RowKind<Fields>,
  row: StoredRow<Fields>,
): object {
  return convertFields(converters, row, 'toEntry');
}

function convertFields(
  converters: [string, Converter | undefined][],
  source: object,
  direction: keyof Converter,
): object {
  const values: Record<string, unknown> = {};
  for (const [field, converter] of converters) {
    const value: unknown = Reflect.get(source, field);
    if (value === undefined) continue;
    values[field] = value === null || !converter ? value : converter[direction](value as never);
  }
  return values;
}

function isChanged<Row extends object>(stored: Row, values: Partial<Row>): boolean {
  for (const field in values) if (!isSame(stored[field], values[field])) return true;
  return false;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Lists the fields that can be empty. */
export function listNullableFields({
  converters,
  defaults,
}: Pick<RowKind<TProperties>, 'converters' | 'defaults'>): string[] {
  return converters
    .map(([field]) => field)
    .filter((field) => Reflect.get(defaults, field) === null);
}

/** A change of a field, with the values as an entry has them. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** Lists the fields in which two rows differ. */
export function listFieldChanges(
  { converters }: Pick<RowKind<TProperties>, 'converters'>,
  before: object,
  after: object,
): FieldChange[] {
  return converters.flatMap(([field, converter]) => {
    const [from, to] = [before, after].map((row) => convertField(converter, row, field));
    return isSame(from, to) ? [] : [{ field, from, to }];
  });
}

function convertField(converter: Converter | undefined, row: object, field: string): unknown {
  const value: unknown = Reflect.get(row, field);
  return value == null || !converter ? value : converter.toEntry(value as never);
}
