import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './json-schema.ts';

const options = { description: 'What it is.', $id: 'It' };

const MADE: Record<keyof typeof Type, (by: typeof Type) => object[]> = {
  Array: (by) => [by.Array(by.String()), by.Array(by.Integer(), options)],
  Boolean: (by) => [by.Boolean(), by.Boolean(options)],
  Enum: (by) => [by.Enum(['a', 'b']), by.Enum(['a'], { type: 'string', ...options })],
  Integer: (by) => [by.Integer(), by.Integer({ minimum: 1 })],
  Literal: (by) => [by.Literal('ok'), by.Literal(1), by.Literal(true)],
  Number: (by) => [by.Number(), by.Number({ maximum: 180 })],
  Object: (by) => [
    by.Object({}),
    by.Object({ a: by.String(), b: by.Optional(by.Number()) }, options),
    by.Object({ a: by.Optional(by.String()) }, { additionalProperties: false }),
  ],
  Optional: (by) => {
    const shared = by.String();
    const object = by.Object({ may: by.Optional(shared), must: shared });
    return [by.Optional(shared), object];
  },
  Ref: (by) => [by.Ref('Problem'), by.Ref('Problem', options)],
  String: (by) => [by.String(), by.String({ format: 'uuid', examples: ['x'] })],
  Union: (by) => [by.Union([by.String(), by.Number()]), by.Union([by.Boolean()], options)],
  Unsafe: (by) => [by.Unsafe<string | null>({ type: ['string', 'null'], ...options })],
};

for (const [name, make] of Object.entries(MADE))
  test(`Type.${name} makes the JSON Schema that TypeBox's makes`, () => {
    assert.equal(JSON.stringify(make(Type)), JSON.stringify(make(TypeBox)));
  });
