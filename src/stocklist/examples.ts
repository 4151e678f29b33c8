import type { TSchema } from 'typebox';
import { STOCKLIST_SCHEMAS } from './schemas.ts';

interface Schema {
  $ref?: string;
  anyOf?: TSchema[];
  enum?: unknown[];
  examples?: unknown[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
}

/** Makes an example of an answer from the examples of its fields. A field that can be null and has no example is null. */
export function makeExample(schema: TSchema): unknown {
  const { $ref, anyOf, enum: values, examples = values, items, properties }: Schema = schema;
  const named: (TSchema & { $id?: string })[] = STOCKLIST_SCHEMAS;
  const [first] = anyOf ?? named.filter(({ $id }) => `${$id}#` === $ref);
  if (first !== undefined) return makeExample(first);
  if (items !== undefined) return [makeExample(items)];
  if (properties === undefined || examples !== undefined) return examples?.[0] ?? null;
  const fields = Object.entries(properties);
  return Object.fromEntries(fields.map(([field, value]) => [field, makeExample(value)]));
}
