import type { TProperties, TSchema, TSchemaOptions } from 'typebox';
import { Type } from '../platform/text/index.ts';

// A slug as lenient as it can be: lower-case letters, digits and hyphens.
export const SLUG = '^[a-z0-9-]{1,100}$';
// A path inside the media: not absolute, and without the segments that lead out of it.
export const IMAGE_KEY = String.raw`^(?!/)(?!(?:[\s\S]*/)?\.{1,2}(?:/|$))[\s\S]+$`;
export const WEB_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]+\\S*$';
export const NOT_BLANK = '\\S';

/** An object that holds these fields and no other. */
export function object<T extends TProperties>(properties: T, description: string) {
  return Type.Object(properties, { additionalProperties: false, description });
}

/** A field that may be left out, and one that may also be emptied with null. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

type Scalar = { string: string; number: number };

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

export function oneOf<T extends string>(values: readonly T[], description: string) {
  return Type.Optional(Type.Enum([...values], { type: 'string', description }));
}

/** A text or a number, kept as it was given. */
export function textOrNumber(description: string, options: TSchemaOptions = {}) {
  const schema = { type: ['string', 'number', 'null'], description, ...options };
  return Type.Optional(Type.Unsafe<string | number | null>(schema));
}

export const text = (description: string) => optional(Type.String({ description }));

/** A text that stands for something, and so says something. */
export const name = (description: string) =>
  optional(Type.String({ pattern: NOT_BLANK, description }));

export const slug = (description: string) => Type.String({ pattern: SLUG, description });

export const id = (description: string) => Type.String({ format: 'uuid', description });

export const email = (description: string) =>
  optional(Type.String({ format: 'idn-email', description }));

export const webUrl = (description: string) =>
  optional(Type.String({ pattern: WEB_URL, description }));

export const instant = (description: string) =>
  nullable('string', description, { format: 'date-time' });

const key = Type.String({
  maxLength: 1_000,
  pattern: IMAGE_KEY,
  description: 'The storage key: a path within the media.',
});
export const image = object({ key }, 'A picture.');

export function nullableImage(description: string) {
  const schema = { ...image, type: ['object', 'null'], description };
  return Type.Optional(Type.Unsafe<{ key: string } | null>(schema));
}
