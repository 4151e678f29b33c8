import { Type } from 'typebox';
import { problemResponses, WITH_BODY } from '../../platform/http/index.ts';
import { answerMe, answerNothing, NO_PASSWORD, SESSION_COOKIE } from '../shared-document.ts';
import { Confirmation, SignIn } from '../schemas.ts';

/* The OpenAPI texts of signing in and out, and of proving again who one is. */

export const signIn = {
  operationId: 'signIn',
  tags: ['People'],
  summary: 'Sign in',
  description:
    'Begins a session and gives the browser its cookie. An unknown account or email, a wrong password and a person who is ' +
    'not active get the same answer, in the same time. A session lasts 14 days after its last use, and at most 90; it gets ' +
    'a new token every 24 hours.',
  body: Type.Unsafe<{ account: string; email: string; password: string; code?: string }>({
    ...SignIn,
    examples: [
      {
        account: 'kowhai-lane',
        email: 'hana@kowhailane.example',
        password: 'a long and secret text',
      },
    ],
  }),
  response: {
    ...answerMe('Signed in. The answer is that of GET /me.', SESSION_COOKIE),
    ...problemResponses(
      ['sign_in_failed', 'second_step_required', 'too_many_attempts', ...WITH_BODY],
      NO_PASSWORD,
    ),
  },
};

export const signOut = {
  operationId: 'signOut',
  tags: ['People'],
  summary: 'Sign out',
  description:
    'Ends the session: at once in the process that answers, and within 250 ms in all others.',
  response: { ...answerNothing('Signed out.', SESSION_COOKIE), ...problemResponses(WITH_BODY) },
};

export const confirm = {
  operationId: 'confirmSession',
  tags: ['People'],
  summary: 'Confirm the session with the password',
  description: 'Some requests need a session that began or was confirmed in the last 15 minutes.',
  body: Type.Unsafe<{ password: string; code?: string }>({
    ...Confirmation,
    examples: [{ password: 'a long and secret text' }],
  }),
  response: {
    ...answerNothing('Confirmed.'),
    ...problemResponses(
      ['sign_in_failed', 'second_step_required', 'too_many_attempts', ...WITH_BODY],
      NO_PASSWORD,
    ),
  },
};
