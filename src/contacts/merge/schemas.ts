import { Type, type Static } from 'typebox';
import { FILLABLE_FIELDS } from '../schemas.ts';

const DUPLICATES_MAX_COUNT = 50;

const takenFields = Object.fromEntries(
  FILLABLE_FIELDS.map((field) => [field, Type.Optional(Type.String())]),
);

export const Merge = Type.Object(
  {
    duplicateIds: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: DUPLICATES_MAX_COUNT,
      description:
        'The ids of contacts with the same email. They fill empty fields in this order, and are removed.',
    }),
    takeFrom: Type.Optional(
      Type.Object(takenFields, {
        additionalProperties: false,
        description:
          'For each field whose value should not be that of the contact: the id of the merged contact to take it from. An empty ' +
          'value is not taken.',
      }),
    ),
  },
  {
    $id: 'Merge',
    additionalProperties: false,
    description: 'The contacts to merge into another one.',
    examples: [
      {
        duplicateIds: ['0196a24b-34ec-7db6-924f-03249bebad2c'],
        takeFrom: { phone: '0196a24b-34ec-7db6-924f-03249bebad2c' },
      },
    ],
  },
);
export type Merge = Static<typeof Merge>;

const field = Type.Enum([...FILLABLE_FIELDS], { type: 'string' });
const count = Type.Integer({ minimum: 0 });

export const MergeResult = Type.Object(
  {
    contact: Type.Unsafe<object>({ $ref: 'Contact#', description: 'The contact that remains.' }),
    filledFields: Type.Array(field, {
      description: 'The empty fields of the contact that the merge filled.',
    }),
    leftBehind: Type.Array(
      Type.Object({
        contactId: Type.String({ format: 'uuid' }),
        field,
        value: Type.Unsafe<string | number>({ type: ['string', 'number'] }),
      }),
      {
        description:
          'The values of the merged contacts that the contact did not take, since it has others. The log of changes keeps them.',
      },
    ),
    moved: Type.Object({ activities: count, tags: count, links: count }),
  },
  { $id: 'MergeResult', description: 'What a merge did.' },
);
export type MergeResult = Static<typeof MergeResult>;

export const MERGE_SCHEMAS = [Merge, MergeResult];
