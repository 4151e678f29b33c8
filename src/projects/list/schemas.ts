import { Type, type TSchema } from 'typebox';
import { nullable, orNull, time } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';
import { ProjectFields, UNIT_STATUSES } from '../schemas.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const { heroImage: _heroImage, galleryImages: _galleryImages, ...fields } = ProjectFields;

const Picture = Type.Object(
  {
    key: Type.String({ description: 'The storage key.', examples: ['harakeke-rise/hero.jpg'] }),
    url: Type.String({ format: 'uri', description: 'Where the picture is.' }),
    alt: nullable('string', 'What it shows, in words.'),
    width: orNull('integer', 'In pixels; null unless the picture was uploaded to this service.'),
    height: orNull('integer', 'In pixels; null unless the picture was uploaded to this service.'),
  },
  { $id: 'Picture', description: 'A picture with its alternative text.' },
);

const Project = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...(fields as Record<string, TSchema>),
    heroImage: Type.Unsafe<object | null>({
      anyOf: [{ $ref: 'Picture#' }, { type: 'null' }],
      description: 'The picture that stands for the project.',
    }),
    galleryImages: Type.Array(Type.Ref('Picture#'), { description: 'In display order.' }),
    relatedProjectIds: Type.Array(Type.String({ format: 'uuid' }), {
      description:
        'The ids of related projects, in display order. Drafts and archived projects are in the list, too.',
    }),
    unitCount: count('How many units the project has, without the withdrawn ones.'),
    availableUnitCount: count('How many of them are available.'),
    unitCounts: Type.Unsafe<Record<string, number>>({
      type: 'object',
      propertyNames: { enum: [...UNIT_STATUSES] },
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'How many units have each status; a status without units is left out.',
    }),
    priceFrom: nullable('number', 'The lowest price of the units that are available.'),
    priceTo: nullable('number', 'The highest price of the units that are available.'),
    priceCurrency: nullable(
      'string',
      'The currency of these prices; null when they have none, or several.',
    ),
    createdAt: time('When the project was created.'),
    updatedAt: time('When the project or one of its units changed last; unique in the account.'),
    etag: Type.String({
      description: 'The version, as in the header `ETag`. A change of its units makes a new one.',
    }),
  },
  { $id: 'Project', description: 'A project, whether live or not.' },
);

const ProjectList = describePage('Project', 'A page of projects.');

export const PROJECT_SCHEMAS = [Picture, Project, ProjectList];
