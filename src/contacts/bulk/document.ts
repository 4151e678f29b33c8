import { Type } from 'typebox';
import {
  answerJson,
  DRY_RUN_QUERY,
  IDEMPOTENCY_KEY_FIELD,
  problemResponses,
  WITH_BODY,
} from '../../platform/http/index.ts';

export const bulkDocument = {
  operationId: 'changeContacts',
  tags: ['Contacts'],
  summary: 'Change many contacts',
  description: 'Changes up to 10,000 contacts in one transaction: all or none.',
  querystring: DRY_RUN_QUERY,
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('BulkChange#'),
  response: {
    ...answerJson('What the request did.', 'BulkResult', { matched: 134, changed: 130 }),
    ...problemResponses(
      [
        'contact_not_found',
        'user_not_active',
        'idempotency_key_in_use',
        'idempotency_key_reused',
        ...WITH_BODY,
      ],
      { pointer: '/ids', detail: 'Send either ids or a filter.' },
    ),
  },
};
