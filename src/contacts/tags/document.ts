import { Type } from 'typebox';
import {
  answerCreated,
  describeListQuery,
  problemResponses,
  RATE_LIMIT_FIELDS,
  WITH_BODY,
} from '../../platform/http/index.ts';
import { TAG_LIST, type Tag } from './schemas.ts';

/** The parts of the OpenAPI document on tags and sources. */

const EXAMPLE: Tag = {
  id: '0196a24b-34ec-7db6-924f-03249bebad2a',
  label: 'Investor night',
  contactCount: 42,
  etag: '"1"',
};

const answer = (description: string, schema: string, example: object) => ({
  200: {
    description,
    headers: RATE_LIMIT_FIELDS,
    content: { 'application/json': { schema: Type.Ref(`${schema}#`), example } },
  },
});

export const listDocument = {
  operationId: 'listTags',
  tags: ['Tags'],
  summary: 'List the tags',
  querystring: describeListQuery(TAG_LIST),
  response: {
    ...answer('A page of the tags.', 'TagList', {
      data: [EXAMPLE],
      pagination: { limit: 20, nextCursor: null, hasNextPage: false },
    }),
    ...problemResponses(['cursor_invalid'], { parameter: 'sort', detail: 'sort must be label.' }),
  },
};

export const createDocument = {
  operationId: 'createTag',
  tags: ['Tags'],
  summary: 'Make a tag',
  description: 'Imports make the tags that they name by themselves.',
  body: Type.Ref('NewTag#'),
  response: {
    ...answerCreated('The tag was made.', 'Tag', { ...EXAMPLE, contactCount: 0 }),
    ...problemResponses(['label_taken', 'limit_reached', ...WITH_BODY], {
      pointer: '/label',
      detail: 'label must be a label of 1 to 100 characters.',
    }),
  },
};

export const sourcesDocument = {
  operationId: 'listSources',
  tags: ['Tags'],
  summary: 'Count the contacts of each source',
  description:
    'The sources and labels of the contacts that are not archived, at most 1,000, those of the most contacts first.',
  response: {
    ...answer('The sources.', 'SourceList', {
      data: [
        {
          source: 'Other',
          label: 'Billboard',
          contactCount: 17,
          firstAt: '2026-02-01T20:00:00.000Z',
          lastAt: '2026-11-25T20:00:00.000Z',
        },
      ],
    }),
    ...problemResponses([]),
  },
};
