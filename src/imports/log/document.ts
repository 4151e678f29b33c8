import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import {
  answerJson,
  describeListQuery,
  problemDetails,
  Problem,
  problemResponses,
  type ProblemCode,
} from '../../platform/http/index.ts';
import { EXAMPLE_RESULT } from '../schemas.ts';
import { IMPORT_LIST, type ImportItem } from './schemas.ts';

const ID = '0196a24b-34ec-7db6-924f-03249bebad2a';
const tags = ['Import log'];
const params = Type.Object({
  importId: Type.String({
    description: 'The id of an import in the log.',
    examples: [ID],
  }),
});

const REFUSED: ImportItem = {
  id: ID,
  receivedAt: '2026-11-25T03:04:05.678Z',
  channel: 'single',
  actor: { type: 'key', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c1', name: 'website' },
  requestId: 'a57539a3846f-1',
  position: null,
  fileId: null,
  row: null,
  outcome: 'refused',
  contactId: null,
  problem: problemDetails(
    new Problem(
      'project_not_available',
      'projectId must be the id of a live project of this account.',
      {
        errors: [
          {
            pointer: '/projectId',
            detail: 'projectId must be the id of a live project of this account.',
          },
        ],
      },
    ),
  ),
  ignoredFields: [],
  settledAt: null,
  settlement: null,
  undoneAt: null,
};

const PAYLOAD =
  '{"email":"mereana.pou@example.com","projectId":"0196a24b-34ed-7302-a3ea-5b2c46f5e0c2"}';
const OPEN = {
  ...REFUSED,
  dismissal: null,
  payload: PAYLOAD,
  lead: JSON.parse(PAYLOAD) as object,
  result: null,
};
export const RETRIED = {
  ...OPEN,
  contactId: EXAMPLE_RESULT.contactId,
  settledAt: '2026-11-25T04:00:00.000Z',
  settlement: 'retried',
  result: EXAMPLE_RESULT,
};
const DISMISSED = {
  ...OPEN,
  settledAt: '2026-11-25T04:00:00.000Z',
  settlement: 'dismissed',
  dismissal: {
    reason: 'A test of our website.',
    actor: { type: 'user', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c3', name: 'Mere Walker' },
  },
};

function answer(description: string, schema: string, value: object, codes: ProblemCode[] = []) {
  return {
    ...answerJson(description, schema, value),
    ...problemResponses(codes, { pointer: '/ids', detail: 'ids must be given, or else open.' }),
  };
}

const BODY_CODES: ProblemCode[] = ['malformed_body', 'body_too_large', 'unsupported_media_type'];

export const listDocument: FastifySchema = {
  operationId: 'listImports',
  summary: 'List the import log',
  description: 'The imports of the account, accepted and refused, the newest first.',
  tags,
  querystring: describeListQuery(IMPORT_LIST),
  response: answer(
    'A page of the log.',
    'ImportList',
    { data: [REFUSED], pagination: { limit: 20, nextCursor: null, hasNextPage: false } },
    ['cursor_invalid'],
  ),
};

export const showDocument: FastifySchema = {
  operationId: 'getImport',
  summary: 'Show an import',
  description: 'One import, with the text that was received and what it did.',
  tags,
  params,
  response: answer('The import.', 'ImportDetail', OPEN, ['import_not_found']),
};

export const retryDocument: FastifySchema = {
  operationId: 'retryImport',
  summary: 'Retry a refused import',
  description:
    'Imports it again, as it was received or with the lead in `payload`. When it is refused again, it stays open with the ' +
    'new problem. An import that is not open does not change.',
  tags,
  params,
  body: Type.Ref('ImportRetry#'),
  response: answer('The import.', 'ImportDetail', RETRIED, [
    'import_not_found',
    'invalid_transition',
    ...BODY_CODES,
  ]),
};

export const dismissDocument: FastifySchema = {
  operationId: 'dismissImport',
  summary: 'Dismiss a refused import',
  description: 'Settles the import without a retry. An import that is not open does not change.',
  tags,
  params,
  body: Type.Ref('ImportDismissal#'),
  response: answer('The import.', 'ImportDetail', DISMISSED, ['import_not_found', ...BODY_CODES]),
};

export const bulkRetryDocument: FastifySchema = {
  operationId: 'retryImports',
  summary: 'Retry refused imports',
  description:
    'Retries open imports in their order, each on its own: those with these `ids`, or all. An id is ignored when it is ' +
    'unknown, or its import is not open.',
  tags,
  body: Type.Ref('ImportSelection#'),
  response: answer(
    'What the retries did.',
    'RetryResult',
    {
      summary: { created: 1, merged: 0, refused: 0 },
      results: [{ id: ID, outcome: 'created', contactId: EXAMPLE_RESULT.contactId, problem: null }],
      more: false,
    },
    BODY_CODES,
  ),
};

export const bulkDismissDocument: FastifySchema = {
  operationId: 'dismissImports',
  summary: 'Dismiss refused imports',
  description: 'Settles open imports without a retry: those with these `ids`, or all.',
  tags,
  body: Type.Ref('ImportSelection#'),
  response: answer(
    'How many imports were open and are dismissed.',
    'DismissResult',
    { summary: { dismissed: 1 }, more: false },
    BODY_CODES,
  ),
};
