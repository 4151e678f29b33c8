import { Type, type Static } from 'typebox';
import { anyOf, NONE, NONE_ONLY, timeLimit } from '../../platform/fields/index.ts';
import { UNIT_STATUSES, UNIT_TYPES } from '../schemas.ts';

const numbersOf = (description: string) =>
  anyOf<number | string>(
    Type.Unsafe({ type: ['number', 'string'], minimum: 0, pattern: NONE_ONLY }),
    `${description} \`${NONE}\`: no value.`,
  );

const number = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, description, examples: [800_000] }));

const ofProject = {
  status: anyOf(
    Type.Enum([...UNIT_STATUSES], { type: 'string' }),
    'Where the sale of the unit stands.',
  ),
  unitType: anyOf(
    Type.Enum([...UNIT_TYPES, NONE], { type: 'string' }),
    `What kind of unit it is. \`${NONE}\`: no value.`,
  ),
  bedrooms: numbersOf('How many bedrooms the unit has.'),
  level: anyOf<string | number>(
    Type.Unsafe({ type: ['string', 'number'] }),
    `The floor that the unit is on, as it is written. \`${NONE}\`: no value.`,
  ),
  lotNumber: anyOf<string | number>(
    Type.Unsafe({ type: ['string', 'number'] }),
    `The lot of the unit, in capital or small letters. \`${NONE}\`: no value.`,
  ),
  priceMin: number('Only units with a price of at least this.'),
  priceMax: number('Only units with a price of at most this.'),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Each word begins a word of the name or of the lot number.',
    }),
  ),
  updated_since: timeLimit('Only units that changed later.'),
};

/** The filter of the units of one project. */
const UnitOfProjectFilter = Type.Object(ofProject, { additionalProperties: false });

/**
 * The filter of units. Lists take it as query parameters; batches, views and exports as JSON. A unit must match all given
 * members, and for a list, any of its values.
 */
export const UnitFilter = Type.Object(
  {
    unit: anyOf(Type.String(), 'The id of a unit.'),
    project: anyOf(Type.String(), 'The id of a project.'),
    ...ofProject,
  },
  { additionalProperties: false, $id: 'UnitFilter', description: 'A filter of units.' },
);
export type UnitFilter = Static<typeof UnitFilter>;

const UNIT_SORTS = [
  'position',
  '-position',
  'project',
  '-project',
  'price',
  '-price',
  'name',
  '-name',
  'updatedAt',
  '-updatedAt',
] as const;

const LIMIT_MAX = 500;

/** The filter, the sorts and the largest page of the list of units. */
export const UNIT_LIST = { filter: UnitFilter, sorts: UNIT_SORTS, limitMax: LIMIT_MAX } as const;
export const UNIT_OF_PROJECT_LIST = { ...UNIT_LIST, filter: UnitOfProjectFilter } as const;
