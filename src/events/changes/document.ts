import type { FastifySchema } from 'fastify';
import { Type, type TObject } from 'typebox';
import {
  describeListQuery,
  problemResponses,
  RATE_LIMIT_FIELDS,
  type ProblemCode,
} from '../../platform/http/index.ts';
import { makeEventId } from '../ids.ts';
import { CHANGE_LIST, ROW_CHANGE_LIST, type ChangeItem } from './schemas.ts';

const CONTACT = '0196a24b-34ec-7db6-924f-03249bebad2b';
const at = '2026-11-25T03:04:05.678Z';

export const EXAMPLE_CHANGE: ChangeItem = {
  id: makeEventId({ at: new Date(at), sequence: 1, subject: CONTACT, index: 1 }),
  subjectType: 'contact',
  subject: CONTACT,
  field: 'stage',
  before: 'New',
  after: 'Qualified',
  at,
  actor: { type: 'user', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c4', name: 'Hana Parata' },
  importId: null,
  requestId: 'a57539a3846f-1',
};

export const listDocument: FastifySchema = {
  operationId: 'listChanges',
  summary: 'List the changes of all rows',
  description:
    'Each change of a field of a contact, a project, a unit, a person, a key or the organization, however it came in: the ' +
    'values before and after, the time, and the actor. A new row has a change for each filled field.',
  tags: ['Changes'],
  querystring: describeListQuery(CHANGE_LIST),
  response: describeAnswer([]),
};

/** Describes the list of the changes of one row in the OpenAPI document. */
export function describeRowChanges({
  code,
  ...document
}: {
  operationId: string;
  summary: string;
  description: string;
  params: TObject;
  code: ProblemCode;
}): FastifySchema {
  return {
    ...document,
    tags: ['Changes'],
    querystring: describeListQuery(ROW_CHANGE_LIST),
    response: describeAnswer([code]),
  };
}

/** Describes GET /contacts/{contactId}/changes in the OpenAPI document. */
export const contactChangesDocument = describeRowChanges({
  operationId: 'listContactChanges',
  summary: 'List the changes of a contact',
  description:
    'Each change of a field, a tag or a link of the contact: the values before and after, the time, the actor and the import.',
  params: Type.Object({
    contactId: Type.String({ description: 'The id of a contact.', examples: [CONTACT] }),
  }),
  code: 'contact_not_found',
});

function describeAnswer(codes: ProblemCode[]) {
  return {
    200: {
      description: 'A page of changes, the newest first.',
      headers: RATE_LIMIT_FIELDS,
      content: {
        'application/json': {
          schema: Type.Ref('ChangeList#'),
          example: {
            data: [EXAMPLE_CHANGE],
            pagination: { limit: 20, nextCursor: null, hasNextPage: false },
          },
        },
      },
    },
    ...problemResponses(['cursor_invalid', ...codes], {
      parameter: 'limit',
      detail: 'limit must be a whole number of at least 1, written in digits only.',
    }),
  };
}
