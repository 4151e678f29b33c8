import type { Type as TypeBox } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Ref'
  | 'String'
  | 'Union'
  | 'Unsafe'
>;

const optional = new WeakSet<object>();

type Schema = Record<string, unknown>;

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Literal: (value: unknown) => ({ type: typeof value, const: value }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object(properties: Record<string, Schema>, options?: Schema) {
    const required = Object.keys(properties).filter(
      (name) => !optional.has(properties[name] ?? {}),
    );
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional(schema: Schema) {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  Ref: ($ref: string, options?: Schema) => ({ $ref, ...options }),
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Union: (anyOf: Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

/**
 * JSON Schemas with TypeBox's static types, made of what we use of its builders: its 370 modules would take an eighth of
 * the time in which the service starts, and 7 MB.
 */
export const Type = builders as unknown as Builders;
