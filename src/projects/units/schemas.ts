import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { id, nullable, time } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';
import { UnitFields } from '../schemas.ts';

const TEXT_MAX_LENGTH = 1_000;
/** The most units that one request creates or changes. */
export const UNITS_MAX_COUNT = 1_000;

const isText = (schema: object): boolean => [Reflect.get(schema, 'type')].flat().includes('string');

/** The fields of a unit as a request writes them: a text has at most 1,000 characters. */
const writable = Object.fromEntries(
  Object.entries(UnitFields).map(([name, schema]) => [
    name,
    isText(schema) ? { maxLength: TEXT_MAX_LENGTH, ...schema } : schema,
  ]),
);

export type UnitChanges = Static<TObject<typeof UnitFields>>;

const UNIT_CHANGES = {
  type: 'object',
  properties: writable,
  additionalProperties: false,
} as const;

export const UnitChanges = Type.Unsafe<UnitChanges>({
  ...UNIT_CHANGES,
  $id: 'UnitChanges',
  description:
    'The fields of a unit to change. A field that is left out stays, and null empties a field.',
  examples: [{ price: 865_000, priceDisplay: '$865,000' }],
});

export type NewUnit = UnitChanges & Required<Pick<UnitChanges, 'name' | 'status'>>;
const NEW_UNIT = { ...UNIT_CHANGES, required: ['name', 'status'] };

const EXAMPLE = { name: '3.07', status: 'Available', bedrooms: 2, price: 849_000, currency: 'NZD' };

export const NewUnit = Type.Unsafe<NewUnit>({
  ...NEW_UNIT,
  $id: 'NewUnit',
  description: 'A unit to create. It comes after the units that the project has.',
  examples: [EXAMPLE],
});

const units = Type.Array(Type.Unsafe<NewUnit>({ $ref: 'NewUnit#' }), {
  minItems: 1,
  maxItems: UNITS_MAX_COUNT,
  description: `Up to ${UNITS_MAX_COUNT} units to create, all or none.`,
});

/** The body with several new units. */
export const NewUnitList = Type.Object({ units }, { additionalProperties: false });
export type NewUnitList = Static<typeof NewUnitList>;

/** The body with one new unit or several, for the OpenAPI document. */
const NewUnits = Type.Unsafe<NewUnit | NewUnitList>({
  $id: 'NewUnits',
  description: 'A unit to create, or a list of `units`.',
  anyOf: [{ $ref: 'NewUnit#' }, NewUnitList],
  examples: [EXAMPLE],
});

const ShownImage = Type.Object({
  key: Type.String(),
  url: Type.String({ format: 'uri' }),
  alt: nullable('string', 'What it shows, in words.'),
});

const { name, status, floorPlanImage: _, ...others } = UnitFields;

const StockUnit = Type.Object(
  {
    id: id('The id of the unit.'),
    projectId: id('The project that it is in.'),
    position: Type.Integer({ description: 'Its place among the units of the project.' }),
    name,
    status,
    ...(others as Record<string, TSchema>),
    floorPlanImage: Type.Unsafe<Static<typeof ShownImage> | null>({
      anyOf: [ShownImage, { type: 'null' }],
    }),
    createdAt: time('When the unit was created.'),
    updatedAt: time('When the unit changed last.'),
    etag: Type.String({ description: 'The version, as in the header `ETag`.' }),
  },
  { $id: 'StockUnit', description: 'A unit. It may be withdrawn.' },
);

const StockUnitList = describePage('StockUnit', 'A page of units.');

const UnitOrder = Type.Object(
  {
    unitIds: Type.Array(Type.String(), {
      description: 'The ids of all units of the project, withdrawn ones too, each once.',
    }),
  },
  {
    $id: 'UnitOrder',
    additionalProperties: false,
    description: 'The units of a project in their order.',
    examples: [{ unitIds: ['0195f33f-5d43-7c26-8284-63e7d7d9bfae'] }],
  },
);
export type UnitOrder = Static<typeof UnitOrder>;

export const UNIT_SCHEMAS = [UnitChanges, NewUnit, NewUnits, StockUnit, StockUnitList, UnitOrder];
