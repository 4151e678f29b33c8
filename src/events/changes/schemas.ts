import { Type, type Static } from 'typebox';
import { id, orNull, timeLimit } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';

const SUBJECT_TYPES = [
  'contact',
  'project',
  'unit',
  'user',
  'key',
  'organization',
  'webhook',
] as const;

const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { type: 'array', description }));

/** The filter of the list of changes. */
export const ChangeFilter = Type.Object(
  {
    subject: texts('The id of the row that changed.'),
    subjectType: Type.Optional(
      Type.Array(Type.Enum([...SUBJECT_TYPES], { type: 'string' }), {
        type: 'array',
        description: 'The kind of the row that changed.',
      }),
    ),
    field: texts('The name of the field, such as `stage` or `tags`.'),
    actor: texts('The id of the person or the key that changed it, or `system` for a command.'),
    after: timeLimit('Only later changes.'),
    before: timeLimit('Only earlier changes.'),
  },
  { additionalProperties: false },
);
export type ChangeFilter = Static<typeof ChangeFilter>;

export const CHANGE_LIST = { filter: ChangeFilter, sorts: ['-at'] } as const;

/** The filter of the changes of one row. */
const RowChangeFilter = Type.Object(
  { field: ChangeFilter.properties.field },
  { additionalProperties: false },
);
/** The filter and the sorts of the list of changes of one row. */
export const ROW_CHANGE_LIST = { filter: RowChangeFilter, sorts: ['-at'] } as const;

const anything = (description: string) => Type.Unsafe<unknown>({ description });

export const ChangeItem = Type.Object(
  {
    id: id('The id of the change.'),
    subjectType: Type.Enum([...SUBJECT_TYPES], { type: 'string' }),
    subject: id('The id of the row that changed.'),
    field: Type.String({ description: 'The name of the field.' }),
    before: anything(
      'The value before; null when the field was empty. For tags and links: the removed one.',
    ),
    after: anything(
      'The value after; null when the field became empty. For tags and links: the added one.',
    ),
    at: Type.String({ format: 'date-time' }),
    actor: Type.Unsafe<{ type: string; id: string | null; name: string }>({
      $ref: 'Actor#',
    }),
    importId: orNull('string', 'The import that changed it; null when no import did.', {
      format: 'uuid',
    }),
    requestId: orNull('string', 'The request that changed it; null when no request did.'),
  },
  { $id: 'Change', description: 'A change of one field of one row.' },
);
export type ChangeItem = Static<typeof ChangeItem>;

const ChangeList = describePage('Change', 'A page of changes, the newest first.');

export const CHANGE_SCHEMAS = [ChangeItem, ChangeList];
