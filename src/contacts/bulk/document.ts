import { Type } from 'typebox';
import {
  DRY_RUN_QUERY,
  IDEMPOTENCY_KEY_FIELD,
  problemResponses,
  RATE_LIMIT_FIELDS,
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
    200: {
      description: 'What the request did.',
      headers: RATE_LIMIT_FIELDS,
      content: {
        'application/json': {
          schema: Type.Ref('BulkResult#'),
          example: { matched: 134, changed: 130 },
        },
      },
    },
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
