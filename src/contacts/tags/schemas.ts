import { Type, type Static } from 'typebox';
import { nullable, time } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';

const Tag = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    label: Type.String({ examples: ['Investor night'] }),
    contactCount: Type.Integer({
      description: 'How many contacts have the tag, as `GET /contacts?tag=` counts them.',
    }),
    etag: Type.String({
      description:
        'The version of the tag. It stays the same when contacts get or lose the tag, except by a merge into it.',
    }),
  },
  { $id: 'Tag', description: 'A label of contacts.' },
);
export type Tag = Static<typeof Tag>;

const TagPage = describePage('Tag', 'A page of the tags, by label.');

const NewTag = Type.Object(
  {
    label: Type.String({
      maxLength: 1_000,
      description: '1 to 100 characters; unique without regard to case.',
    }),
  },
  {
    $id: 'NewTag',
    description: 'A tag to make.',
    additionalProperties: false,
    examples: [{ label: 'Investor night' }],
  },
);
export type NewTag = Static<typeof NewTag>;

const TagPatch = Type.Object(
  { label: Type.Optional(NewTag.properties.label) },
  {
    $id: 'TagPatch',
    description: 'The label of a tag.',
    additionalProperties: false,
    examples: [{ label: 'Investor evening' }],
  },
);
export type TagPatch = Static<typeof TagPatch>;

const TagMerge = Type.Object(
  { into: Type.String({ description: 'The id of the tag that stays.' }) },
  {
    $id: 'TagMerge',
    description: 'The tag that gets the contacts of another one.',
    additionalProperties: false,
    examples: [{ into: '0196a24b-34ec-7db6-924f-03249bebad2c' }],
  },
);
export type TagMerge = Static<typeof TagMerge>;

const SourceList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        source: nullable('string', 'The `source` of the contacts; null: they have none.'),
        label: nullable('string', 'The `sourceExternalOriginalName` of the contacts.'),
        contactCount: Type.Integer(),
        firstAt: time('When the first of the contacts was created.'),
        lastAt: time('When the last of the contacts was created.'),
      }),
    ),
  },
  { $id: 'SourceList', description: 'Where the contacts come from.' },
);

const TagFilter = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Each word is a part of the label.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const TAG_LIST = { filter: TagFilter, sorts: ['label', '-label'] } as const;

export const TAG_SCHEMAS = [Tag, TagPage, NewTag, TagPatch, TagMerge, SourceList];
