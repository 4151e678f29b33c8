import { Type } from 'typebox';
import { problemResponses, WITH_BODY } from '../../platform/http/index.ts';
import { answerNothing, NO_PASSWORD, SESSION_COOKIE } from '../shared-document.ts';
import { PasswordChange } from '../schemas.ts';

/* The OpenAPI text of changing a password. */

export const changePassword = {
  operationId: 'changePassword',
  tags: ['People'],
  summary: "Change one's own password",
  description:
    'This session gets a new cookie. The other sessions end, and so do links for choosing a password. A wrong `current` is a 401 `sign_in_failed`.',
  body: Type.Unsafe<{ current: string; password: string }>({
    ...PasswordChange,
    examples: [{ current: 'a long and secret text', password: 'another long and secret text' }],
  }),
  response: {
    ...answerNothing('Changed.', SESSION_COOKIE),
    ...problemResponses(
      ['sign_in_failed', 'password_too_weak', 'too_many_attempts', ...WITH_BODY],
      NO_PASSWORD,
    ),
  },
};
