import { Type } from 'typebox';
import {
  answerNoContent,
  answerCreated,
  answerResource,
  IDEMPOTENCY_KEY_FIELD,
  IF_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  problemResponses,
  WITH_BODY,
} from '../../platform/http/index.ts';
import { PROJECT_EXAMPLE, PROJECT_PARAMS } from '../list/document.ts';

/** The parts of the OpenAPI document on changing projects. */

const tags = ['Projects'];
const MISSING = { pointer: '/latitude', detail: 'latitude is required for a live project.' };

export const createDocument = {
  operationId: 'createStockProject',
  tags,
  summary: 'Create a project',
  description:
    'Creates a draft, which the stock endpoints do not show. It needs a slug and a name; `publish` needs the other fields.',
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('NewProject#'),
  response: {
    ...answerCreated('The new draft.', 'Project', { ...PROJECT_EXAMPLE, publication: 'draft' }),
    ...problemResponses(
      [
        'slug_taken',
        'project_not_available',
        'media_not_found',
        'idempotency_key_reused',
        'idempotency_key_in_use',
        ...WITH_BODY,
      ],
      { pointer: '/name', detail: 'name is required.' },
    ),
  },
};

export const changeDocument = {
  operationId: 'changeStockProject',
  tags,
  summary: 'Change a project',
  description:
    'Changes the fields that are sent; the stock endpoints show a live project with them at once. With `If-Match`, two who change ' +
    'the same version do not overwrite each other. `relatedProjectIds` replaces the list.',
  consumes: MERGE_PATCH_TYPES,
  params: PROJECT_PARAMS,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('ProjectChanges#'),
  response: {
    ...answerResource('The project as it is now.', 'Project', {
      ...PROJECT_EXAMPLE,
      status: 'Sold Out',
      etag: '"2"',
    }),
    ...problemResponses(
      [
        'project_not_found',
        'precondition_failed',
        'project_incomplete',
        'project_not_available',
        'media_not_found',
        'slug_taken',
        ...WITH_BODY,
      ],
      MISSING,
    ),
  },
};

const actionDocument = (publication: string) => ({
  tags,
  params: PROJECT_PARAMS,
  headers: IF_MATCH_FIELD,
  body: Type.Object({}, { additionalProperties: false }),
  response: {
    ...answerResource('The project as it is now.', 'Project', {
      ...PROJECT_EXAMPLE,
      publication,
      etag: '"2"',
    }),
    ...problemResponses(
      [
        'project_not_found',
        'precondition_failed',
        ...(publication === 'live' ? (['project_incomplete'] as const) : []),
        ...WITH_BODY,
      ],
      MISSING,
    ),
  },
});

export const publishDocument = {
  operationId: 'publishStockProject',
  summary: 'Publish a project',
  description:
    'The stock endpoints show it from now on. A 422 names each field that they need and the project lacks.',
  ...actionDocument('live'),
};

export const unpublishDocument = {
  operationId: 'unpublishStockProject',
  summary: 'Make a project a draft',
  description: 'The stock endpoints no longer show it.',
  ...actionDocument('draft'),
};

export const archiveDocument = {
  operationId: 'archiveStockProject',
  summary: 'Archive a project',
  description:
    'The stock endpoints no longer show it, and no further contact can be linked to it. Its links and its history stay.',
  ...actionDocument('archived'),
};

export const deleteDocument = {
  operationId: 'deleteStockProject',
  tags,
  summary: 'Delete a draft',
  description:
    'Deletes a draft with its units. Projects that show it beside them lose it there. When contacts are linked to it, a 409 ' +
    '`in_use` says how many.',
  params: PROJECT_PARAMS,
  headers: IF_MATCH_FIELD,
  response: {
    ...answerNoContent('The project is gone.'),
    ...problemResponses(
      ['project_not_found', 'precondition_failed', 'invalid_transition', 'in_use', ...WITH_BODY],
      { header: 'If-Match', detail: 'If-Match must be an ETag with its quotes.' },
    ),
  },
};
