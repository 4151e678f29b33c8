import fc from 'fast-check';
import { CHARACTER, NAUGHTY_STRINGS } from './naughty-strings.ts';

/** The keywords of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  examples?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
}

interface Around {
  /** Returns the schema that a `$ref` names. */
  resolve: (reference: string) => Schema;
  /** Values that name something in the account, by the name of their field. */
  known: Record<string, unknown[]>;
}

const UNSTORABLE = ['a\0b', '\0', '\uD83C', 'a\uDFE1b'];

const TEXT = fc.oneof(
  { arbitrary: fc.constantFrom(...NAUGHTY_STRINGS), weight: 40 },
  { arbitrary: fc.string({ unit: CHARACTER, maxLength: 20 }), weight: 20 },
  { arbitrary: fc.constantFrom(...UNSTORABLE), weight: 1 },
);

/** Any JSON value. */
export const WILD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e21, '', ' ', [], {}, [[]], [null]),
  TEXT,
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values for a schema: most are valid, some nearly valid, some wild. The same holds for each part of a value. */
export function valuesOf(schema: Schema, around: Around, name = ''): fc.Arbitrary<unknown> {
  const { $ref } = schema;
  const resolved = $ref === undefined ? schema : around.resolve($ref);
  return fc.oneof(
    { arbitrary: validOf(resolved, around, name), weight: 38 },
    { arbitrary: fc.constantFrom(...beyond(resolved)), weight: 1 },
    { arbitrary: WILD, weight: 1 },
  );
}

function validOf(schema: Schema, around: Around, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, around, name)));
}

function ofType(type: string, schema: Schema, around: Around, name: string): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 2 ** 40, minItems = 0, maxItems = 5, items = {} } = schema;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer')
    return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 200) });
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (type === 'array')
    return fc.array(valuesOf(items, around), {
      minLength: minItems,
      maxLength: Math.min(maxItems, 5),
    });
  if (type === 'object') return objectsOf(schema, around);
  return textsOf(schema, around.known[name] ?? []);
}

function textsOf({ format, examples = [], maxLength = 1_000 }: Schema, known: unknown[]) {
  const given = [...examples, ...known].filter((each) => typeof each === 'string');
  const times = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const texts = format === 'date-time' ? times : TEXT;
  if (given.length === 0) return texts.filter((text) => text.length <= maxLength);
  return fc.oneof(
    { arbitrary: fc.constantFrom(...given), weight: 6 },
    {
      arbitrary: fc.tuple(fc.constantFrom(...given), fc.nat(), fc.nat(99)).map(spliced),
      weight: 3,
    },
    { arbitrary: texts, weight: 1 },
  );
}

/** Inserts a number into a text: `aroha@example.com` becomes `ar17oha@example.com`. */
function spliced([text, at, insert]: [string, number, number]): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + insert + text.slice(place);
}

function objectsOf(
  { properties = {}, required = [], additionalProperties = true }: Schema,
  around: Around,
) {
  const fields = Object.entries(properties).map(([name, schema]) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { arbitrary: valuesOf(schema, around, name), weight: required.includes(name) ? 60 : 1 },
        { arbitrary: fc.constant(undefined), weight: required.includes(name) ? 1 : 4 },
      ),
    ),
  );
  const unknown = fc.oneof(
    { arbitrary: fc.tuple(TEXT, WILD), weight: additionalProperties ? 9 : 1 },
    { arbitrary: fc.constant(null), weight: additionalProperties ? 1 : 9 },
  );
  return fc
    .tuple(fc.tuple(...fields), unknown)
    .map(([known, other]) =>
      Object.fromEntries(
        [...known, ...(other ? [other] : [])].filter(([, each]) => each !== undefined),
      ),
    );
}

/** Values just outside a schema's limits, or of a type that a client may confuse with the right one. */
function beyond({ enum: values, maxLength, minimum, maximum, maxItems, type }: Schema): unknown[] {
  return [
    type === 'object' ? [] : {},
    ...(values ?? []).map((each) => `${String(each)} `),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '\u{1F3E1}'.repeat(maxLength)]),
    ...(minimum === undefined ? [] : [minimum - 1, `${minimum}`, minimum + 0.5]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(maxItems === undefined ? [] : [[], Array.from({ length: maxItems + 1 }, () => ({}))]),
  ];
}
