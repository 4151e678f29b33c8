import { Type } from 'typebox';
import {
  answerJson,
  answerPage,
  answerNoContent,
  answerCreated,
  answerResource,
  describeListQuery,
  IF_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  problemResponses,
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

export const listDocument = {
  operationId: 'listTags',
  tags: ['Tags'],
  summary: 'List the tags',
  querystring: describeListQuery(TAG_LIST),
  response: {
    ...answerPage('A page of the tags.', 'TagList', [EXAMPLE]),
    ...problemResponses(['cursor_invalid'], { parameter: 'sort', detail: 'sort must be label.' }),
  },
};

export const createDocument = {
  operationId: 'createTag',
  tags: ['Tags'],
  summary: 'Make a tag',
  description: 'An import creates the tags that it names.',
  body: Type.Ref('NewTag#'),
  response: {
    ...answerCreated('The tag was made.', 'Tag', { ...EXAMPLE, contactCount: 0 }),
    ...problemResponses(['label_taken', 'limit_reached', ...WITH_BODY], {
      pointer: '/label',
      detail: 'label must be a label of 1 to 100 characters.',
    }),
  },
};

const TAG_PARAMS = Type.Object({
  tagId: Type.String({ description: 'The id of a tag.', examples: [EXAMPLE.id] }),
});
const IN_CHUNKS =
  'A tag of more than 100 contacts is changed in several transactions, so that leads do not wait. When the request fails between two of them, a repeat finishes the change.';

export const showDocument = {
  operationId: 'showTag',
  tags: ['Tags'],
  summary: 'Show a tag',
  params: TAG_PARAMS,
  response: {
    ...answerResource('The tag.', 'Tag', EXAMPLE),
    ...problemResponses(['tag_not_found']),
  },
};

export const renameDocument = {
  operationId: 'renameTag',
  tags: ['Tags'],
  summary: 'Rename a tag',
  description: `Each contact that has the tag gets a new version and an event \`contact.updated\`. ${IN_CHUNKS}`,
  consumes: MERGE_PATCH_TYPES,
  params: TAG_PARAMS,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('TagPatch#'),
  response: {
    ...answerResource('The tag as it is now.', 'Tag', {
      ...EXAMPLE,
      label: 'Investor evening',
      etag: '"2"',
    }),
    ...problemResponses(['tag_not_found', 'precondition_failed', 'label_taken', ...WITH_BODY], {
      pointer: '/label',
      detail: 'label must be a label of 1 to 100 characters.',
    }),
  },
};

export const deleteDocument = {
  operationId: 'deleteTag',
  tags: ['Tags'],
  summary: 'Delete a tag',
  description: `Each contact that has the tag loses it. A lead that names the label later makes a new tag. ${IN_CHUNKS}`,
  params: TAG_PARAMS,
  headers: IF_MATCH_FIELD,
  response: {
    ...answerNoContent('The tag is gone.'),
    ...problemResponses(['tag_not_found', 'precondition_failed', ...WITH_BODY]),
  },
};

export const mergeDocument = {
  operationId: 'mergeTag',
  tags: ['Tags'],
  summary: 'Merge a tag into another one',
  description: `Each contact that has the tag gets the other one in its place, and so do the filters of saved views. The tag is gone then, and a lead that names its label later makes a new one. ${IN_CHUNKS} When another tag is merged into it meanwhile, or it is renamed, the merge stops with a 409.`,
  params: TAG_PARAMS,
  body: Type.Ref('TagMerge#'),
  response: {
    ...answerResource('The tag that stays.', 'Tag', { ...EXAMPLE, etag: '"2"' }),
    ...problemResponses(['tag_not_found', 'invalid_transition', ...WITH_BODY], {
      pointer: '/into',
      detail: 'into must be the id of another tag.',
    }),
  },
};

export const sourcesDocument = {
  operationId: 'listSources',
  tags: ['Tags'],
  summary: 'Count the contacts of each source',
  description:
    'The sources and labels of the contacts that are not archived, at most 1,000; the source with the most contacts comes first.',
  response: {
    ...answerJson('The sources.', 'SourceList', {
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
