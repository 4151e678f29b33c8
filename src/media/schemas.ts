import { Type, type Static } from 'typebox';
import { PICTURE_TYPES } from './rules.ts';

export const CONTENT_TYPES = Object.values(PICTURE_TYPES);

const Picture = Type.Object(
  {
    key: Type.String({ description: 'By this the organization, projects and units refer to it.' }),
    url: Type.String({
      format: 'uri',
      description:
        'Where everybody can read it; with `?w=` 320, 640, 1280 or 1920 in that width, if it is wider.',
    }),
    contentType: Type.Enum(CONTENT_TYPES),
    bytes: Type.Integer({ description: 'The size of the file as it is served.' }),
    width: Type.Integer({ description: 'In pixels, upright.' }),
    height: Type.Integer({ description: 'In pixels, upright.' }),
    sha256: Type.String({ description: 'Of the file as it was uploaded.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was uploaded.' }),
  },
  { $id: 'StoredPicture', description: 'A picture that the service stores.' },
);
export type Picture = Static<typeof Picture>;

const PictureList = Type.Object(
  { data: Type.Array(Type.Ref('StoredPicture#')), pagination: Type.Ref('Pagination#') },
  { $id: 'PictureList', description: 'A page of pictures, the newest first.' },
);

const PictureFilter = Type.Object(
  {
    unused: Type.Optional(
      Type.Boolean({
        description: 'Whether no organization, project or unit refers to it.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PictureFilter = Static<typeof PictureFilter>;

export const PICTURE_LIST = {
  filter: PictureFilter,
  sorts: ['-createdAt', 'createdAt'],
} as const;

export const PICTURE_SCHEMAS = [Picture, PictureList];
