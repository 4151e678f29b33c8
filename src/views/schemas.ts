import { Type, type Static } from 'typebox';
import type { Actor } from '../access/index.ts';
import { CONTACT_LIST } from '../contacts/index.ts';
import { nullable } from '../platform/fields/index.ts';
import { describePage } from '../platform/http/index.ts';
import { UNIT_LIST } from '../projects/index.ts';

/** The lists that can have views, with the filters and orders that they accept. */
export const LISTS = { contacts: CONTACT_LIST, units: UNIT_LIST } as const;

export type ViewResource = keyof typeof LISTS;
const RESOURCES = Object.keys(LISTS) as ViewResource[];

export const NAME_MAX_LENGTH = 100;
const COLUMNS_MAX_COUNT = 100;

const resource = Type.Enum(RESOURCES, {
  type: 'string',
  description: 'The list that the view is of.',
});
const name = Type.String({
  maxLength: 1_000,
  description: `1 to ${NAME_MAX_LENGTH} characters; unique among the views that a person sees.`,
  examples: ['New without a person'],
});
const sort = nullable('string', 'The order of the list; null: its own.', {
  enum: [...new Set(Object.values(LISTS).flatMap(({ sorts }): string[] => [...sorts])), null],
});

const Column = Type.Object(
  {
    field: Type.String({ minLength: 1, maxLength: NAME_MAX_LENGTH, examples: ['name'] }),
    width: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, examples: [240] })),
  },
  { additionalProperties: false },
);
type Column = Static<typeof Column>;

const columns = Type.Optional(
  Type.Unsafe<Column[] | null>({
    type: ['array', 'null'],
    items: Column,
    maxItems: COLUMNS_MAX_COUNT,
    description:
      'The columns that are shown, in order, with their widths; null: each reader chooses.',
  }),
);
const shared = Type.Boolean({ description: 'Whether all people of the account see it.' });
const filter = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'The filter of the list: `ContactFilter` or `UnitFilter`.',
});

const View = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    resource,
    name,
    filter,
    sort,
    columns,
    shared,
    owner: Type.Unsafe<Actor>({ $ref: 'Actor#' }),
    etag: Type.String({ description: 'The version, as in the header `ETag`.' }),
  },
  { $id: 'View', description: 'A filter of a list, saved under a name.' },
);
export type View = Static<typeof View>;

const ViewList = describePage('View', 'A page of views, by name.');

const NewView = Type.Object(
  {
    resource,
    name,
    filter: Type.Optional(filter),
    sort,
    columns,
    shared: Type.Optional(shared),
  },
  {
    $id: 'NewView',
    additionalProperties: false,
    description: 'A view to save.',
    examples: [
      {
        resource: 'contacts',
        name: 'New without a person',
        filter: { stage: ['New'], assignedTo: ['none'] },
        sort: '-createdAt',
        columns: [{ field: 'name', width: 240 }, { field: 'stage' }],
      },
    ],
  },
);
export type NewView = Static<typeof NewView>;

const ViewChanges = Type.Object(
  {
    name: Type.Optional(name),
    filter: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'The members of the filter to change. null removes a member, or all of them. The result must be a valid filter of the list.',
      }),
    ),
    sort,
    columns,
    shared: Type.Optional(shared),
  },
  {
    $id: 'ViewChanges',
    additionalProperties: false,
    description: 'The fields of a view to change.',
    examples: [{ name: 'New and hot', filter: { assignedTo: null } }],
  },
);
export type ViewChanges = Static<typeof ViewChanges>;

const ViewFilter = Type.Object(
  {
    resource: Type.Optional(
      Type.Enum(RESOURCES, { type: 'string', description: 'Only views of this list.' }),
    ),
  },
  { additionalProperties: false },
);

export const VIEW_LIST = { filter: ViewFilter, sorts: ['name', '-name'] } as const;

export const VIEW_SCHEMAS = [View, ViewList, NewView, ViewChanges];
