import { Type } from 'typebox';
import { orNull } from '../../platform/fields/index.ts';
import { answerResource, problemResponses, WITH_BODY } from '../../platform/http/index.ts';
import { EXAMPLE_PERSON, USER_PARAMS } from '../../users/index.ts';

export const deactivateDocument = {
  operationId: 'deactivateUser',
  tags: ['People'],
  summary: 'End the access of a person',
  description:
    'Their sessions and links end, within 250 ms everywhere. Their contacts are assigned to another person, or to nobody, in transactions of at most 100. After a 503, send the request again: it assigns the contacts that are left.',
  params: USER_PARAMS,
  body: Type.Object(
    {
      reassignTo: orNull('string', 'The id of the person who gets the contacts; null: nobody.'),
    },
    { additionalProperties: false, examples: [{ reassignTo: null }] },
  ),
  response: {
    ...answerResource('The person, who is not active.', 'User', {
      ...EXAMPLE_PERSON,
      active: false,
    }),
    ...problemResponses(
      [
        'user_not_found',
        'confirmation_required',
        'role_not_manageable',
        'user_not_active',
        'last_owner',
        ...WITH_BODY,
      ],
      { pointer: '/reassignTo', detail: 'reassignTo is required.' },
    ),
  },
};
