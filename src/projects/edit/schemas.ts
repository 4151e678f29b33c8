import { Type, type Static, type TSchema } from 'typebox';
import { NOT_BLANK, SLUG } from '../../platform/fields/index.ts';
import { ProjectFields } from '../schemas.ts';

const TEXT_MAX_LENGTH = 1_000;
const GALLERY_MAX_COUNT = 100;
const RELATED_MAX_COUNT = 50;

const {
  publication: _publication,
  slug: _slug,
  name: _name,
  heroImage,
  galleryImages,
  developmentDescription,
  ...fields
} = ProjectFields;

const limited = Object.fromEntries(
  Object.entries<TSchema & { type?: unknown }>(fields).map(([name, schema]) => [
    name,
    [schema.type].flat().includes('string') && !('anyOf' in schema)
      ? Type.Optional({ maxLength: TEXT_MAX_LENGTH, ...schema })
      : schema,
  ]),
) as unknown as typeof fields;

/** Makes the schema of a list that null empties. */
const listOf = <Item>(schema: TSchema, maxItems: number, description: string) =>
  Type.Optional(
    Type.Unsafe<Item[] | null>({ ...schema, type: ['array', 'null'], maxItems, description }),
  );

const details = {
  ...limited,
  developmentDescription,
  galleryImages: listOf<{ key: string; alt?: string | null }>(
    galleryImages,
    GALLERY_MAX_COUNT,
    'All pictures of the gallery, in display order.',
  ),
  relatedProjectIds: listOf<string>(
    Type.Array(Type.String()),
    RELATED_MAX_COUNT,
    'The ids of other projects of the account, in display order.',
  ),
};

const slug = Type.String({
  pattern: SLUG,
  description: 'Its name in paths, unique in the account.',
});
const name = Type.String({
  pattern: NOT_BLANK,
  maxLength: TEXT_MAX_LENGTH,
  description: 'What it is called.',
});

export const NewProject = Type.Object(
  { slug, name, ...details, heroImage },
  {
    $id: 'NewProject',
    additionalProperties: false,
    description: 'A project to make. It is a draft, which may lack all but its slug and name.',
    examples: [{ slug: 'rata-heights', name: 'Rātā Heights', cityName: 'Whangārei' }],
  },
);
export type NewProject = Static<typeof NewProject>;

export const ProjectChanges = Type.Object(
  {
    slug: Type.Optional(slug),
    name: Type.Optional(name),
    ...details,
    heroImage: Type.Optional(
      Type.Unsafe<{ key?: string; alt?: string | null } | null>({
        ...heroImage,
        required: [],
        description:
          'The picture that stands for the project. As RFC 7396 says, a member that is left out stays.',
      }),
    ),
  },
  {
    $id: 'ProjectChanges',
    additionalProperties: false,
    description:
      'The fields to change. null, and a text that shows nothing, empties a field. A live project keeps all that the stock ' +
      'endpoints show.',
    examples: [{ status: 'Sold Out', addressLine2: null }],
  },
);
export type ProjectChanges = Static<typeof ProjectChanges>;

export const EDIT_SCHEMAS = [NewProject, ProjectChanges];
