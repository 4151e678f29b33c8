import { CONTACT_PARAMS } from '../../../contacts/index.ts';
import {
  answerNoContent,
  IF_MATCH_FIELD,
  problemResponses,
  WITH_BODY,
} from '../../../platform/http/index.ts';

export const eraseDocument = {
  operationId: 'eraseContact',
  tags: ['Contacts'],
  summary: 'Erase a person',
  description:
    'Removes the contact with its activities, tags, links and changes, what the import log keeps of it, and the answers that ' +
    'repeats of requests would get. This cannot be undone; archiving can. Backups keep the person until they are deleted.',
  params: CONTACT_PARAMS,
  headers: IF_MATCH_FIELD,
  response: {
    ...answerNoContent('The person is erased.'),
    ...problemResponses([
      'contact_not_found',
      'confirmation_required',
      'precondition_failed',
      ...WITH_BODY,
    ]),
  },
};
