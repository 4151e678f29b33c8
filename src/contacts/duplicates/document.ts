import type { FastifySchema } from 'fastify';
import { answerPage, describeListQuery, problemResponses } from '../../platform/http/index.ts';
import { CONTACT_EXAMPLE } from '../list/document.ts';
import { DUPLICATE_LIST } from './schemas.ts';

export const duplicatesDocument: FastifySchema = {
  operationId: 'listDuplicates',
  summary: 'List duplicates',
  description:
    'The emails that several contacts have, in alphabetical order. Archived contacts count, too. A lead with such an email is refused until ' +
    'the contacts are merged.',
  tags: ['Contacts'],
  querystring: describeListQuery(DUPLICATE_LIST),
  response: {
    ...answerPage('A page of emails.', 'DuplicateEmailList', [
      { email: CONTACT_EXAMPLE.email, contacts: [CONTACT_EXAMPLE, CONTACT_EXAMPLE] },
    ]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'limit',
      detail: 'limit must be a whole number of at least 1, written in digits only.',
    }),
  },
};
