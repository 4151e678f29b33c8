import { Type, type Static } from 'typebox';
import { nullable, nullableEnum } from '../../platform/fields/index.ts';
import type { ContactFilter } from '../list/filter.ts';
import { STAGES, TAG_MAX_LENGTH, TAGS_MAX_COUNT } from '../schemas.ts';

/** The most contacts that one request changes. */
export const BULK_MAX_COUNT = 10_000;

const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: TAGS_MAX_COUNT, description }));

export const BulkChange = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: BULK_MAX_COUNT,
        description:
          'The ids of the contacts. When one of them is unknown, the request is refused.',
      }),
    ),
    filter: Type.Optional(
      Type.Unsafe<ContactFilter>({
        $ref: 'ContactFilter#',
        description: `In place of \`ids\`: a filter that at most ${BULK_MAX_COUNT} contacts match.`,
      }),
    ),
    set: Type.Optional(
      Type.Object(
        {
          stage: nullableEnum(STAGES, 'How far the contacts have come.'),
          assignedAccountUserId: nullable('string', 'An active person, or null for nobody.'),
        },
        { additionalProperties: false },
      ),
    ),
    addTags: texts(`Labels of at most ${TAG_MAX_LENGTH} characters.`),
    removeTags: texts('Ids of tags.'),
    archive: Type.Optional(
      Type.Boolean({ description: 'true archives the contacts, false makes them active.' }),
    ),
  },
  {
    $id: 'BulkChange',
    additionalProperties: false,
    description: 'One change of many contacts.',
    examples: [{ filter: { stage: ['New'], assignedTo: ['none'] }, set: { stage: 'Contacted' } }],
  },
);
export type BulkChange = Static<typeof BulkChange>;

export const BulkResult = Type.Object(
  {
    matched: Type.Integer({ description: 'How many contacts the request is for.' }),
    changed: Type.Integer({ description: 'How many of them it changed.' }),
  },
  { $id: 'BulkResult', description: 'What a change of many contacts did.' },
);
export type BulkResult = Static<typeof BulkResult>;
