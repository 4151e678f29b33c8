import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import {
  describeListQuery,
  problemResponses,
  RATE_LIMIT_FIELDS,
} from '../../platform/http/index.ts';
import { CONTACT_EXAMPLE } from '../list/document.ts';
import { DUPLICATE_LIST } from './schemas.ts';

export const duplicatesDocument: FastifySchema = {
  operationId: 'listDuplicates',
  summary: 'List duplicates',
  description:
    'The emails that several contacts have, archived ones too, in their order. A lead with such an email is refused until ' +
    'the contacts are merged.',
  tags: ['Contacts'],
  querystring: describeListQuery(DUPLICATE_LIST),
  response: {
    200: {
      description: 'A page of emails.',
      headers: RATE_LIMIT_FIELDS,
      content: {
        'application/json': {
          schema: Type.Ref('DuplicateEmailList#'),
          example: {
            data: [{ email: CONTACT_EXAMPLE.email, contacts: [CONTACT_EXAMPLE, CONTACT_EXAMPLE] }],
            pagination: { limit: 20, nextCursor: null, hasNextPage: false },
          },
        },
      },
    },
    ...problemResponses(['cursor_invalid'], {
      parameter: 'limit',
      detail: 'limit must be a whole number of at least 1, written in digits only.',
    }),
  },
};
