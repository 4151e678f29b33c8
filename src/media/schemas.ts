import { Type, type Static } from 'typebox';
import { time } from '../platform/fields/index.ts';
import { describePage } from '../platform/http/index.ts';
import { PICTURE_TYPES } from './rules.ts';

export const CONTENT_TYPES = Object.values(PICTURE_TYPES);

const Picture = Type.Object(
  {
    key: Type.String({
      description: 'The key by which the organization, projects and units refer to the picture.',
    }),
    url: Type.String({
      format: 'uri',
      description:
        'The URL at which everybody can read the picture. With `?w=` 320, 640, 1280 or 1920, a wider picture is scaled to this width.',
    }),
    contentType: Type.Enum(CONTENT_TYPES),
    bytes: Type.Integer({ description: 'The size of the file as it is served.' }),
    width: Type.Integer({ description: 'In pixels, of the upright picture.' }),
    height: Type.Integer({ description: 'In pixels, of the upright picture.' }),
    sha256: Type.String({ description: 'The SHA-256 of the file as it was uploaded.' }),
    createdAt: time('When it was uploaded.'),
  },
  { $id: 'StoredPicture', description: 'A picture that the service stores.' },
);
export type Picture = Static<typeof Picture>;

const PictureList = describePage(
  'StoredPicture',
  'A page of pictures, the newest first.',
  'PictureList',
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
