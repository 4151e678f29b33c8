import type { TProperties } from 'typebox';

/** For each field of a row, the name and the SQL type of its column. */
export type Columns<Field extends string = string> = Record<Field, [column: string, type: string]>;

interface Schema {
  type?: string | string[];
  format?: string;
  anyOf?: unknown;
  properties?: object;
}

/**
 * Derives the columns that store fields: the column of `cityName` is `city_name`, and the schema decides its type. `names` has
 * the columns that are named otherwise.
 */
export function deriveColumns<Fields extends TProperties>(
  fields: Fields,
  names: { [Field in keyof Fields]?: string } = {},
): Columns<keyof Fields & string> {
  const columns = Object.entries(fields).map(([field, schema]) => [
    field,
    [names[field] ?? toSnakeCase(field), chooseType(schema)],
  ]);
  return Object.fromEntries(columns);
}

function toSnakeCase(field: string): string {
  return field.replace(/[A-Z]|\d+/g, (start) => `_${start.toLowerCase()}`);
}

/**
 * Chooses the SQL type of a column. A value of several types and a picture are stored as JSON; an image without an alternative
 * text (the logo) is stored as its key.
 */
function chooseType({ type, format, anyOf, properties = {} }: Schema): string {
  const types = [type].flat().filter((each) => each !== 'null');
  if (types.length > 1) return 'jsonb';
  if (types[0] === 'array' || 'alt' in properties) return 'json';
  if (format === 'uuid') return 'uuid';
  if (format === 'date-time' || anyOf !== undefined) return 'timestamptz(3)';
  return SQL_TYPES[types[0] ?? ''] ?? 'text';
}

const SQL_TYPES: Record<string, string> = {
  integer: 'integer',
  number: 'double precision',
  boolean: 'boolean',
};
