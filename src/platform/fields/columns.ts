import type { TProperties } from 'typebox';

/** The column of each field of a row, and its type. */
export type Columns<Field extends string = string> = Record<Field, [column: string, type: string]>;

interface Schema {
  type?: string | string[];
  format?: string;
  anyOf?: unknown;
}

/**
 * Derives the columns that store fields: `cityName` is stored in `city_name`, in the type that its schema asks for.
 * `names` gives a column another name.
 */
export function deriveColumns<Fields extends TProperties>(
  fields: Fields,
  names: { [Field in keyof Fields]?: string } = {},
): Columns<keyof Fields & string> {
  const columns = Object.entries(fields).map(([field, schema]) => [
    field,
    [names[field] ?? toSnakeCase(field), typeOf(schema)],
  ]);
  return Object.fromEntries(columns);
}

function toSnakeCase(field: string): string {
  return field.replace(/[A-Z]|\d+/g, (start) => `_${start.toLowerCase()}`);
}

/** Finds the type of a column. An image is stored by its key, and a value of several types as JSON. */
function typeOf({ type, format, anyOf }: Schema): string {
  const types = [type].flat().filter((each) => each !== 'null');
  if (types.length > 1) return 'jsonb';
  if (format === 'uuid') return 'uuid';
  if (format === 'date-time' || anyOf !== undefined) return 'timestamptz(3)';
  return SQL_TYPES[types[0] ?? ''] ?? 'text';
}

const SQL_TYPES: Record<string, string> = {
  integer: 'integer',
  number: 'double precision',
  boolean: 'boolean',
  array: 'text[]',
};
