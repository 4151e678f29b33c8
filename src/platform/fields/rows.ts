import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { FORMATS } from './formats.ts';
import type { StoredRow } from './schemas.ts';

/** The fields that a request, or an entry of a file, gives of a row. */
export type Entry<Fields extends TProperties> = Static<TObject<Fields>>;

/** Why a value is refused: a JSON pointer (RFC 6901) from the value to the field, and a sentence. */
export interface Fault {
  pointer: string;
  detail: string;
}

export type Change = 'created' | 'updated' | 'unchanged';

/** The row that an entry makes. A row with faults must not be written. */
export interface RowPlan<Row> {
  row: Row;
  change: Change;
  faults: Fault[];
}

interface Converter {
  toStored: (value: never) => unknown;
  toEntry: (value: never) => unknown;
}

/** A kind of row: its fields with their converters, and what a new row needs and gets. */
export interface RowKind<Fields extends TProperties> {
  noun: string;
  converters: [field: keyof Fields & string, converter: Converter | undefined][];
  required: string[];
  defaults: StoredRow<Fields>;
}

/**
 * Defines a kind of row. A new row requires each field that null cannot empty and that has no default. Fields that
 * null can empty are null by default.
 */
export function defineRow<Fields extends TProperties>(
  noun: string,
  fields: Fields,
  defaults: Partial<StoredRow<Fields>> = {},
): RowKind<Fields> {
  const schemas = Object.entries(fields);
  const names = schemas.map(([field]) => field);
  const isNullable = (field: string) => [fields[field]].flatMap(typesOf).includes('null');
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
  properties?: unknown;
  items?: unknown;
}

const typesOf = (schema: Schema | undefined): unknown[] => [schema?.type].flat();

const IMAGE: Converter = {
  toStored: ({ key }: { key: string }) => key,
  toEntry: (key: string) => ({ key }),
};

const IMAGES: Converter = {
  // The reader of a file leaves undefined in the place of a faulty image, or of its key.
  toStored: (images: ({ key: string } | undefined)[]) =>
    images.flatMap((image) => image?.key ?? []),
  toEntry: (keys: string[]) => keys.map((key) => ({ key })),
};

function findConverter(schema: TSchema): Converter | undefined {
  const { format, anyOf, properties, items }: Schema = schema;
  if (properties !== undefined) return IMAGE;
  if (items !== undefined) return IMAGES;
  const found = FORMATS[format ?? anyOf?.at(-1)?.format ?? ''];
  return found && { toStored: found.toStored, toEntry: (value) => value };
}

/** Applies an entry to the stored row, or to a new one. `own` are the values that no entry gives, such as the id. */
export function planRow<Fields extends TProperties, Row extends StoredRow<Fields>>(
  kind: RowKind<Fields>,
  stored: Row | undefined,
  entry: Entry<Fields>,
  own: Omit<Row, keyof Fields>,
): RowPlan<Row> {
  const values = { ...own, ...convertFields(kind.converters, entry, 'toStored') } as Partial<Row>;
  if (stored === undefined) {
    const row = { ...kind.defaults, ...values } as Row;
    return { row, change: 'created', faults: findMissingFields(kind, entry) };
  }
  const change = isChanged(stored, values) ? 'updated' : 'unchanged';
  return { row: { ...stored, ...values }, change, faults: [] };
}

/** Finds the fields that a new row cannot be made without. */
export function findMissingFields<Fields extends TProperties>(
  { noun, required }: RowKind<Fields>,
  entry: Entry<Fields>,
): Fault[] {
  return required
    .filter((field) => Reflect.get(entry, field) === undefined)
    .map((field) => ({ pointer: `/${field}`, detail: `is required for a new ${noun}.` }));
}

/** Shows the fields of a stored row as an entry gives them, in the order of the kind. */
export function toEntry<Fields extends TProperties>(
  { converters }: RowKind<Fields>,
  row: StoredRow<Fields>,
): object {
  return convertFields(converters, row, 'toEntry');
}

function convertFields(
  converters: [string, Converter | undefined][],
  source: object,
  way: keyof Converter,
): object {
  const values: Record<string, unknown> = {};
  for (const [field, converter] of converters) {
    const value: unknown = Reflect.get(source, field);
    if (value === undefined) continue;
    values[field] = value === null || !converter ? value : converter[way](value as never);
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
