import { Type } from 'typebox';
import { problemResponses, WITH_BODY } from '../platform/http/index.ts';
import { answerMe } from './shared-document.ts';
import { OwnChanges } from './schemas.ts';

/* The OpenAPI texts of GET /me and PATCH /me. */

const BLANK_NAME = { pointer: '/name', detail: 'name must be a string that is not blank.' };

export const readMe = {
  operationId: 'getMe',
  tags: ['People'],
  summary: 'Read who the caller is, and what they may do',
  description: 'API keys may ask, too. For them `user`, `role` and `session` are null.',
  response: { ...answerMe('The caller.'), ...problemResponses([]) },
};

export const changeMe = {
  operationId: 'changeMe',
  tags: ['People'],
  summary: "Change one's own name or theme",
  body: Type.Unsafe<{ name?: string; theme?: 'system' | 'light' | 'dark' }>({
    ...OwnChanges,
    examples: [{ name: 'Hana Parata', theme: 'dark' }],
  }),
  response: {
    ...answerMe('Changed. The answer is that of GET /me.'),
    ...problemResponses(WITH_BODY, BLANK_NAME),
  },
};
