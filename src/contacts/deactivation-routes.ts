import { Type } from 'typebox';
import { getPrincipal } from '../access/index.ts';
import { readRequester } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  answerResource,
  problemResponses,
  requireJsonType,
  sendResource,
  WITH_BODY,
  type Server,
} from '../platform/http/index.ts';
import { EXAMPLE_PERSON, USER_PARAMS, type SessionCache } from '../users/index.ts';
import { orNull } from '../platform/fields/index.ts';
import { deactivatePerson } from './deactivate-person.ts';

const deactivateDocument = {
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

/** Adds the route that deactivates a person. */
export function deactivationRoutes(
  app: Server,
  { db, sessions }: { db: Pool; sessions: SessionCache },
): void {
  const options = {
    config: { scope: 'users:write' },
    schema: deactivateDocument,
    preParsing: requireJsonType,
  } as const;
  app.post('/users/:userId/deactivate', options, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { userId } = request.params;
    const { reassignTo } = request.body;
    try {
      const deactivation = { accountId, userId, reassignTo };
      const person = await deactivatePerson(db, readRequester(request), deactivation);
      return await sendResource(request, reply, person);
    } finally {
      sessions.clear();
    }
  });
}
