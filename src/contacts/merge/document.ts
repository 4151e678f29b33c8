import { Type } from 'typebox';
import {
  answerJson,
  DRY_RUN_QUERY,
  IDEMPOTENCY_KEY_FIELD,
  problemResponses,
  WITH_BODY,
} from '../../platform/http/index.ts';
import { CONTACT_EXAMPLE, CONTACT_PARAMS, LINK_EXAMPLE } from '../list/document.ts';

export const mergeDocument = {
  operationId: 'mergeContacts',
  tags: ['Contacts'],
  summary: 'Merge contacts that share an email',
  description:
    'Moves the activities, tags and links of the duplicates to the contact, fills its empty fields, and removes the duplicates. Their ' +
    'ids then answer 404 with `mergedIntoId`. `takeFrom` chooses for single fields the contact whose value stays. With `dryRun=true` ' +
    'the answer is the same, and nothing is stored.',
  params: CONTACT_PARAMS,
  querystring: DRY_RUN_QUERY,
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('Merge#'),
  response: {
    ...answerJson('What the merge did.', 'MergeResult', {
      contact: { ...CONTACT_EXAMPLE, links: [LINK_EXAMPLE], etag: '"2"' },
      filledFields: ['phone'],
      leftBehind: [
        {
          contactId: '0196a24b-34ec-7db6-924f-03249bebad2c',
          field: 'name',
          value: 'M. Pou',
        },
      ],
      moved: { activities: 2, tags: 1, links: 0 },
    }),
    ...problemResponses(
      [
        'contact_not_found',
        'not_duplicates',
        'idempotency_key_in_use',
        'idempotency_key_reused',
        ...WITH_BODY,
      ],
      { pointer: '/duplicateIds', detail: 'duplicateIds must be an array.' },
    ),
  },
};
