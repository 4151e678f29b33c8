import { Type } from 'typebox';
import {
  answerNoContent,
  answerPage,
  answerCreated,
  answerRead,
  answerResource,
  describeListQuery,
  IF_MATCH_FIELD,
  IF_NONE_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  problemResponses,
  WITH_BODY,
} from '../platform/http/index.ts';
import { VIEW_LIST, type View } from './schemas.ts';

/** The parts of the OpenAPI document on saved views. */

const tags = ['Views'];

const EXAMPLE: View = {
  id: '0196a24b-34ec-7db6-924f-03249bebad2a',
  resource: 'contacts',
  name: 'New without a person',
  filter: { stage: ['New'], assignedTo: ['none'] },
  sort: '-createdAt',
  columns: [{ field: 'name', width: 240 }, { field: 'stage' }],
  shared: false,
  owner: { type: 'user', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c4', name: 'Hana Parata' },
  etag: '"1"',
};

const params = Type.Object({
  viewId: Type.String({ description: 'The id of a view.', examples: [EXAMPLE.id] }),
});
const FILTER_FAULT = {
  pointer: '/filter/stage',
  detail: 'stage must be an array.',
};

export const listDocument = {
  operationId: 'listViews',
  tags,
  summary: 'List the saved views',
  description: 'The views of the caller, and the shared ones.',
  querystring: describeListQuery(VIEW_LIST),
  response: {
    ...answerPage('A page of the views.', 'ViewList', [EXAMPLE]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'resource',
      detail: 'resource must be contacts.',
    }),
  },
};

export const createDocument = {
  operationId: 'createView',
  tags,
  summary: 'Save a view',
  description: 'A shared view needs the scope `settings:write`. An account has at most 200 views.',
  body: Type.Ref('NewView#'),
  response: {
    ...answerCreated('The view was saved.', 'View', EXAMPLE),
    ...problemResponses(['name_taken', 'limit_reached', ...WITH_BODY], FILTER_FAULT),
  },
};

export const showDocument = {
  operationId: 'showView',
  tags,
  summary: 'Show a saved view',
  params,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The view.', 'View', EXAMPLE),
    ...problemResponses(['view_not_found']),
  },
};

export const changeDocument = {
  operationId: 'changeView',
  tags,
  summary: 'Change a view',
  description:
    'A caller needs the scope `settings:write` to change a shared view, or to share one.',
  consumes: MERGE_PATCH_TYPES,
  params,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('ViewChanges#'),
  response: {
    ...answerResource('The view as it is now.', 'View', {
      ...EXAMPLE,
      name: 'New and hot',
      filter: { stage: ['New'] },
      etag: '"2"',
    }),
    ...problemResponses(
      ['view_not_found', 'precondition_failed', 'name_taken', ...WITH_BODY],
      FILTER_FAULT,
    ),
  },
};

export const deleteDocument = {
  operationId: 'deleteView',
  tags,
  summary: 'Delete a view',
  description: 'A shared view needs the scope `settings:write`.',
  params,
  headers: IF_MATCH_FIELD,
  response: {
    ...answerNoContent('The view is gone.'),
    ...problemResponses(['view_not_found', 'precondition_failed', ...WITH_BODY]),
  },
};
