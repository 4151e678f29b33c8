import {
  Type,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
} from 'typebox';

type StoredValue<Value> = Value extends { key: infer Key }
  ? Key
  : Value extends { key: infer Key }[]
    ? Key[]
    : Value;

/** A row with these fields as it is stored: each image by its key, each time as ISO 8601 with milliseconds. */
export type StoredRow<Fields extends TProperties> = {
  [Name in keyof Static<TObject<Fields>>]-?: StoredValue<Static<TObject<Fields>>[Name]>;
};

/** Lower-case letters, digits and hyphens, in any order. */
export const SLUG = '^[a-z0-9-]{1,100}$';
/** A path inside the media folder: not absolute, and without the segments that lead out of it. */
export const IMAGE_KEY = String.raw`^(?!/)(?!(?:[\s\S]*/)?\.{1,2}(?:/|$))[\s\S]+$`;
export const WEB_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]+\\S*$';
export const NOT_BLANK = '\\S';

/** Makes the schema of an object that holds these fields and no others. */
export function object<Fields extends TProperties>(fields: Fields, description: string) {
  return Type.Object(fields, { additionalProperties: false, description });
}

/** Marks a field that an entry may leave out. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

type Scalar = { string: string; number: number };

/** A text or a number that null empties. */
export function nullable<T extends keyof Scalar>(
  type: T,
  description: string,
  options: TSchemaOptions = {},
) {
  const schema = { type: [type, 'null'], description, ...options };
  return Type.Optional(Type.Unsafe<Scalar[T] | null>(schema));
}

export function nullableEnum<T extends string>(values: readonly T[], description: string) {
  const schema = { type: ['string', 'null'], enum: [...values, null], description };
  return Type.Optional(Type.Unsafe<T | null>(schema));
}

export function oneOf<T extends string>(
  values: readonly T[],
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Optional(Type.Enum([...values], { type: 'string', description, ...options }));
}

/** A text or a number, stored as it is given. */
export function textOrNumber(description: string, options: TSchemaOptions = {}) {
  const schema = { type: ['string', 'number', 'null'], description, ...options };
  return Type.Optional(Type.Unsafe<string | number | null>(schema));
}

export const text = (description: string) => optional(Type.String({ description }));

/** A text that is not blank. */
export const name = (description: string) =>
  optional(Type.String({ pattern: NOT_BLANK, description }));

export const slug = (description: string) => Type.String({ pattern: SLUG, description });

export const id = (description: string) => Type.String({ format: 'uuid', description });

export const email = (description: string) =>
  optional(Type.String({ format: 'idn-email', description }));

export const webUrl = (description: string) =>
  optional(Type.String({ pattern: WEB_URL, description }));

export const flag = (description: string) => optional(Type.Boolean({ description }));

/** A number within these limits. */
export const degrees = (limit: number, description: string, options: TSchemaOptions = {}) =>
  optional(Type.Number({ minimum: -limit, maximum: limit, description, ...options }));

/** A number that is not negative. */
export const amount = (description: string, options: TSchemaOptions = {}) =>
  nullable('number', description, { minimum: 0, ...options });

export const instant = (description: string) =>
  nullable('string', description, { format: 'date-time' });

/** A plain date, which is the instant at which it begins in UTC, or an instant. */
export const dateOrInstant = (description: string) =>
  optional(Type.String({ anyOf: [{ format: 'date' }, { format: 'date-time' }], description }));

const key = Type.String({
  maxLength: 1_000,
  pattern: IMAGE_KEY,
  description: 'The storage key: a path within the media.',
});
const image = object({ key }, 'A picture.');

export const images = (description: string) => optional(Type.Array(image, { description }));

export function nullableImage(description: string) {
  const schema = { ...image, type: ['object', 'null'], description };
  return Type.Optional(Type.Unsafe<{ key: string } | null>(schema));
}
