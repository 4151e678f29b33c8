import { Type } from 'typebox';
import {
  answerNoContent,
  answerPage,
  describeListQuery,
  problemResponses,
  RATE_LIMIT_FIELDS,
  WITH_BODY,
} from '../platform/http/index.ts';
import { CONTENT_TYPES, PICTURE_LIST, type Picture } from './schemas.ts';

/** The parts of the OpenAPI document on pictures. */

const tags = ['Pictures'];
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const KEY = `0196a24b-34ec-7db6-924f-03249bebad2a/${SHA256}.jpg`;

const EXAMPLE: Picture = {
  key: KEY,
  url: `https://crm.example.com/media/${KEY}`,
  contentType: 'image/jpeg',
  bytes: 812_345,
  width: 4000,
  height: 3000,
  sha256: SHA256,
  createdAt: '2026-11-25T03:04:05.678Z',
};

const answerPicture = (description: string) => ({
  description,
  headers: RATE_LIMIT_FIELDS,
  content: { 'application/json': { schema: Type.Ref('StoredPicture#'), example: EXAMPLE } },
});

export const uploadDocument = {
  operationId: 'uploadPicture',
  tags,
  summary: 'Upload a picture',
  description:
    'The body is a JPEG, PNG, WebP or AVIF picture of up to 20 MiB, 100 megapixels and 65,535 pixels on each side, and its ' +
    '`Content-Type` says which. It is stored upright, in sRGB and without metadata, such as the place where it was taken.',
  consumes: CONTENT_TYPES,
  body: {
    content: Object.fromEntries(
      CONTENT_TYPES.map((type) => [type, { schema: { description: 'The picture.' } }]),
    ),
  },
  response: {
    200: answerPicture('The account has this picture already.'),
    201: {
      ...answerPicture('The picture was stored.'),
      headers: {
        Location: { type: 'string', description: 'The `url` of the picture.' },
        ...RATE_LIMIT_FIELDS,
      },
    },
    ...problemResponses(['body_too_large', 'unsupported_media_type', 'media_unreadable']),
  },
};

export const listDocument = {
  operationId: 'listPictures',
  tags,
  summary: 'List the pictures',
  description: 'The newest first.',
  querystring: describeListQuery(PICTURE_LIST),
  response: {
    ...answerPage('A page of the pictures.', 'PictureList', [EXAMPLE]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'unused',
      detail: 'unused must be a boolean.',
    }),
  },
};

export const deleteDocument = {
  operationId: 'deletePicture',
  tags,
  summary: 'Delete a picture',
  description: 'The organization, projects and units must not refer to it.',
  params: Type.Object({
    sha256: Type.String({ description: 'The SHA-256 of the upload.', examples: [SHA256] }),
  }),
  response: {
    ...answerNoContent('The picture is gone.'),
    ...problemResponses(['picture_not_found', 'in_use', ...WITH_BODY]),
  },
};
