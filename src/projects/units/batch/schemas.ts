import { Type, type Static } from 'typebox';
import type { ProblemDetails } from '../../../platform/http/index.ts';
import type { UnitFilter } from '../filter.ts';
import { UNITS_MAX_COUNT, type UnitChanges } from '../schemas.ts';
import { orNull } from '../../../platform/fields/index.ts';

/** The largest amount of an adjustment: prices are smaller. */
const AMOUNT_MAX = 1e15;
const PERCENT_MAX = 10_000;

const optionalNumber = (description: string, minimum: number, maximum: number) =>
  Type.Optional(Type.Number({ minimum, maximum, description }));

const PriceAdjustment = Type.Object(
  {
    percent: optionalNumber('Changes the price by this percentage.', -100, PERCENT_MAX),
    amount: optionalNumber(
      'Changes the price by this amount; a negative one lowers it.',
      -AMOUNT_MAX,
      AMOUNT_MAX,
    ),
    roundTo: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: AMOUNT_MAX,
        description:
          'Rounds the result to the nearest multiple of this, a half upwards; to 0.01 without it.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Either `percent` or `amount`.' },
);

const set = Type.Unsafe<UnitChanges>({ $ref: 'UnitChanges#' });

const CLOSED = { additionalProperties: false };
const ROWS = {
  minItems: 1,
  maxItems: UNITS_MAX_COUNT,
  description: 'A change for each unit.',
};

const UnitChange = Type.Object(
  {
    id: Type.String({ description: 'The id of the unit.' }),
    ifMatch: Type.Optional(
      Type.String({ description: 'The `etag` that the unit must have.', examples: ['"7"'] }),
    ),
    set,
  },
  CLOSED,
);

export const UnitBatch = Type.Object(
  {
    atomic: Type.Optional(
      Type.Boolean({
        description:
          'true, the default: all rows are stored, or none. false: the rows that are not refused are stored.',
      }),
    ),
    changes: Type.Optional(Type.Array(UnitChange, ROWS)),
    ids: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: UNITS_MAX_COUNT,
        description: 'In place of `changes`: the ids of units that all get the same change.',
      }),
    ),
    filter: Type.Optional(
      Type.Unsafe<UnitFilter>({
        $ref: 'UnitFilter#',
        description: `In place of \`ids\`: a filter that at most ${UNITS_MAX_COUNT} units match.`,
      }),
    ),
    set: Type.Optional(set),
    adjust: Type.Optional(
      Type.Object(
        { price: PriceAdjustment },
        {
          additionalProperties: false,
          description: 'How the price changes. A unit without a price stays as it is.',
        },
      ),
    ),
  },
  {
    $id: 'UnitBatch',
    additionalProperties: false,
    description: 'Changes of up to 1,000 units.',
    examples: [
      { changes: [{ id: '0195f33f-5d43-7c26-8284-63e7d7d9bfae', set: { price: 865_000 } }] },
      {
        filter: { status: ['Available'] },
        adjust: { price: { percent: 2.5, roundTo: 1_000 } },
      },
    ],
  },
);
export type UnitBatch = Static<typeof UnitBatch>;

/** The body of a batch whose rows are validated one by one: a fault in the `set` of a row refuses only this row. */
export const CheckedUnitBatch = Type.Object(
  {
    ...UnitBatch.properties,
    changes: Type.Optional(
      Type.Array(Type.Object({ ...UnitChange.properties, set: Type.Object({}) }, CLOSED), ROWS),
    ),
  },
  CLOSED,
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const anything = (description: string) => Type.Unsafe<unknown>({ description });

export const UnitBatchRow = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'The place of the row, from 0.' }),
    id: orNull('string', 'The unit, as the request names it.'),
    changes: Type.Array(
      Type.Object({ field: Type.String(), from: anything('Before.'), to: anything('After.') }),
      { description: 'The fields that change. Empty when the row is refused.' },
    ),
    etag: orNull(
      'string',
      'The version that the unit has after the request; null for an unknown unit.',
    ),
    problem: Type.Unsafe<ProblemDetails | null>({
      type: ['object', 'null'],
      description: 'Why the row is refused; null when it is not.',
    }),
  },
  { $id: 'UnitBatchRow', description: 'The result for one unit.' },
);
export type UnitBatchRow = Static<typeof UnitBatchRow>;

export const UnitBatchResult = Type.Object(
  {
    summary: Type.Object({
      changed: count('Units that change.'),
      unchanged: count('Units that have these values already.'),
      refused: count('Rows that are refused.'),
    }),
    results: Type.Array(Type.Ref('UnitBatchRow#')),
  },
  { $id: 'UnitBatchResult', description: 'The result of a batch, for each unit.' },
);
export interface UnitBatchResult {
  summary: { changed: number; unchanged: number; refused: number };
  results: UnitBatchRow[];
}

export const BATCH_SCHEMAS = [UnitBatch, UnitBatchRow, UnitBatchResult];
