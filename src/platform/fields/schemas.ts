import { Type, type Static, type TObject, type TProperties, type TSchemaOptions } from 'typebox';

/** A picture as the database stores it: the key of its file, and its alternative text if it has one. */
export interface StoredPicture {
  key: string;
  alt?: string;
}

type StoredValue<Value> = Value extends { key: infer Key }
  ? 'alt' extends keyof Value
    ? StoredPicture
    : Key
  : Value extends (infer Item)[]
    ? StoredValue<Item>[]
    : Value;

/** A row as the database stores it: the key of a logo, and each time in ISO 8601 with milliseconds. */
export type StoredRow<Fields extends TProperties> = {
  [Name in keyof Static<TObject<Fields>>]-?: StoredValue<Static<TObject<Fields>>[Name]>;
};

/** Lower-case letters, digits and hyphens, in any order. */
export const SLUG = '^[a-z0-9-]{1,100}$';
/** A relative path inside the media folder. No segment of it is `.` or `..`. */
export const IMAGE_KEY = String.raw`^(?!/)(?!(?:[\s\S]*/)?\.{1,2}(?:/|$))[\s\S]+$`;
export const WEB_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]+\\S*$';
/** A URL that requests are sent to: a fragment is not sent. */
export const REQUEST_URL = String.raw`^[^\s#]*$`;
/** The value of a filter that means an empty field. */
export const NONE = 'none';
/** The pattern of this value, for a filter of numbers. */
export const NONE_ONLY = `^${NONE}$`;
/**
 * A character that is neither white space nor, below U+10000, default-ignorable. It is spelled out because not every dialect of
 * regular expressions has `\p{…}`.
 */
export const NOT_BLANK = String.raw`[^\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8]`;

/** Creates the schema of an object that has only these fields. */
export function object<Fields extends TProperties>(fields: Fields, description: string) {
  return Type.Object(fields, { additionalProperties: false, description });
}

type Scalar = { string: string; number: number; integer: number };

/** A text, or a number, or null for an empty field. */
export function nullable<T extends keyof Scalar>(
  type: T,
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Optional(orNull(type, description, options));
}

/** An optional field that is one of these values or null. `oneOf` takes no null. */
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

/** A text, a number, or null for an empty field. The database stores it unchanged, as JSON. */
export function textOrNumber(description: string, options: TSchemaOptions = {}) {
  const schema = { type: ['string', 'number', 'null'], description, ...options };
  return Type.Optional(Type.Unsafe<string | number | null>(schema));
}

/** A text that is not blank. */
export const name = (description: string) =>
  Type.Optional(Type.String({ pattern: NOT_BLANK, description }));

/** A required slug. */
export const slug = (description: string) => Type.String({ pattern: SLUG, description });

/** A required UUID. */
export const id = (description: string) => Type.String({ format: 'uuid', description });

/** An optional email, which may have letters outside ASCII (RFC 6531). */
export const email = (description: string) =>
  Type.Optional(Type.String({ format: 'idn-email', description }));

export const webUrl = (description: string) =>
  Type.Optional(Type.String({ pattern: WEB_URL, description }));

export const nullableWebUrl = (description: string) =>
  nullable('string', description, { pattern: WEB_URL });

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** A latitude or longitude in degrees, from -limit to limit. */
export const degrees = (limit: number, description: string, options: TSchemaOptions = {}) =>
  Type.Optional(Type.Number({ minimum: -limit, maximum: limit, description, ...options }));

/** A number from 0, or null for an empty field. */
export const amount = (description: string, options: TSchemaOptions = {}) =>
  nullable('number', description, { minimum: 0, ...options });

/** An optional time with a date and an offset (RFC 3339), or null. */
export const instant = (description: string) =>
  nullable('string', description, { format: 'date-time' });

/** The time of something that has happened, as an answer shows it. */
export const time = (description: string) => Type.String({ format: 'date-time', description });

/** A text or number that every answer has, or null. */
export function orNull<T extends keyof Scalar>(
  type: T,
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Unsafe<Scalar[T] | null>({ type: [type, 'null'], description, ...options });
}

/** A member that matches a schema, or is null. */
export const schemaOrNull = <T>(schema: object) =>
  Type.Unsafe<T | null>({ anyOf: [schema, { type: 'null' }] });

/** The time of something that may not have happened, as an answer shows it. */
export const timeOrNull = (description: string) =>
  orNull('string', description, { format: 'date-time' });

/** An instant, or a date without a time. A date means the instant at which that day begins in UTC. */
export function nullableDateOrInstant(description: string) {
  const anyOf = ['date', 'date-time'].map((format) => ({ type: ['string', 'null'], format }));
  return nullable('string', description, { anyOf });
}

const key = Type.String({
  maxLength: 1_000,
  pattern: IMAGE_KEY,
  description: 'The storage key: a path within the media.',
});
const image = object({ key }, 'A picture.');

/** An optional picture by its key, or null. */
export function nullableImage(description: string) {
  const schema = { ...image, type: ['object', 'null'], description };
  return Type.Optional(Type.Unsafe<{ key: string } | null>(schema));
}

const alt = nullable('string', 'What it shows, in words, for those who do not see it.', {
  maxLength: 1_000,
});
const picture = object({ key, alt }, 'A picture.');

/** Pictures, each with its alternative text. */
export const pictures = (description: string, options: TSchemaOptions = {}) =>
  Type.Optional(Type.Array(picture, { description, ...options }));

/** A picture with its alternative text, or null. */
export function nullablePicture(description: string) {
  const schema = { ...picture, type: ['object', 'null'], description };
  return Type.Optional(Type.Unsafe<Static<typeof picture> | null>(schema));
}
