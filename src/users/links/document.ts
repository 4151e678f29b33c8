import { Type } from 'typebox';
import { problemResponses, WITH_BODY } from '../../platform/http/index.ts';
import { answerMe, SESSION_COOKIE } from '../shared-document.ts';
import { LinkAcceptance, LinkToken, OpenedLink } from '../schemas.ts';

/* The OpenAPI texts of links by which a person chooses a password. */

const EXAMPLE_ACCOUNT = { slug: 'kowhai-lane', displayName: 'Kōwhai Lane' };
const NO_TOKEN = { pointer: '/token', detail: 'token is required.' };
const EXAMPLE_TOKEN = 'offplan_link_…';

export const openLink = {
  operationId: 'openLink',
  tags: ['People'],
  summary: 'Show what a link is for',
  body: Type.Unsafe<{ token: string }>({ ...LinkToken, examples: [{ token: EXAMPLE_TOKEN }] }),
  response: {
    200: {
      description: 'The link may be used.',
      content: {
        'application/json': {
          schema: OpenedLink,
          example: {
            kind: 'invite',
            account: EXAMPLE_ACCOUNT,
            email: 'hana@kowhailane.example',
            name: 'Hana Parata',
            expiresAt: '2026-04-07T21:15:09.204Z',
          },
        },
      },
    },
    ...problemResponses(['link_not_valid', 'too_many_attempts', ...WITH_BODY], NO_TOKEN),
  },
};

export const acceptLink = {
  operationId: 'acceptLink',
  tags: ['People'],
  summary: 'Use a link, and sign in',
  description:
    'The person gets the password, and a session; their other sessions end. A `start` link needs `email` and `name`, too, and ' +
    'makes the first owner. The link of a demo signs in without a password.',
  body: Type.Unsafe<{ token: string; password?: string; email?: string; name?: string }>({
    ...LinkAcceptance,
    examples: [{ token: EXAMPLE_TOKEN, password: 'a long and secret text' }],
  }),
  response: {
    ...answerMe('Signed in. The answer is that of GET /me.', SESSION_COOKIE),
    ...problemResponses(
      ['link_not_valid', 'password_too_weak', 'too_many_attempts', ...WITH_BODY],
      NO_TOKEN,
    ),
  },
};
