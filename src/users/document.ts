import { Type } from 'typebox';
import { listScopesOfRole } from '../access/index.ts';
import { problemResponses, WITH_BODY } from '../platform/http/index.ts';
import {
  Confirmation,
  LinkAcceptance,
  LinkToken,
  OpenedLink,
  OwnChanges,
  PasswordChange,
  SecondStepCode,
  SessionList,
  SignIn,
  type Me,
} from './schemas.ts';

/** The parts of the OpenAPI document on the routes of people. */

const PERSON_ID = '0196a24b-34ec-7db6-924f-03249bebad2a';
const SESSION_ID = '0196a24b-3a10-7c1e-8a77-5d2f6a1f0b3c';

const EXAMPLE: Me = {
  actor: { type: 'user', id: PERSON_ID, name: 'Hana Parata' },
  account: {
    id: '0195ee07-9d5b-7c55-8f10-6a0e8b1f2c3d',
    slug: 'kowhai-lane',
    displayName: 'Kōwhai Lane',
    timeZone: 'Pacific/Auckland',
    defaultCurrency: 'NZD',
  },
  user: {
    id: PERSON_ID,
    email: 'hana@kowhailane.example',
    name: 'Hana Parata',
    role: 'viewer',
    active: true,
    secondStep: false,
    signedInAt: '2026-03-31T21:15:09.204Z',
    invitedUntil: null,
    createdAt: '2026-03-01T20:00:00.000Z',
    updatedAt: '2026-03-01T20:00:00.000Z',
    etag: '"3"',
    theme: 'system',
  },
  role: 'viewer',
  scopes: listScopesOfRole('viewer'),
  contacts: 'all',
  rateLimits: { reads: 600, imports: null, writes: null, exports: null },
  session: {
    id: SESSION_ID,
    createdAt: '2026-03-31T21:15:09.204Z',
    confirmedAt: '2026-03-31T21:15:09.204Z',
    expiresAt: '2026-04-14T21:15:09.204Z',
    needsSecondStep: false,
  },
};

const cookie = {
  'Set-Cookie': {
    schema: { type: 'string' },
    type: 'string',
    description:
      'The cookie of the session: `__Host-offplan`, or `offplan` over plain HTTP on the same machine.',
  },
};

function answerMe(description: string, headers: object = {}) {
  return {
    200: {
      description,
      headers,
      content: { 'application/json': { schema: Type.Ref('Me#'), example: EXAMPLE } },
    },
  };
}

const done = (description: string, headers: object = {}) => ({
  204: { type: 'null', description, headers },
});

const BLANK_NAME = { pointer: '/name', detail: 'name must be a string that is not blank.' };
const NO_TOKEN = { pointer: '/token', detail: 'token is required.' };
const EXAMPLE_ACCOUNT = { slug: 'kowhai-lane', displayName: 'Kōwhai Lane' };
const NO_PASSWORD = { pointer: '/password', detail: 'password is required.' };

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
    ...answerMe('Signed in. The answer is that of GET /me.', cookie),
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
  description: 'Ends the session: at once here, and within 250 ms in every process.',
  response: { ...done('Signed out.', cookie), ...problemResponses(WITH_BODY) },
};

export const readMe = {
  operationId: 'getMe',
  tags: ['People'],
  summary: 'Read who the caller is, and what they may do',
  description: 'For API keys, too: `user`, `role` and `session` are null then.',
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

export const listSessions = {
  operationId: 'listSessions',
  tags: ['People'],
  summary: "List one's own sessions",
  description:
    'The latest comes first. There are at most 100: the oldest one ends when another begins.',
  response: {
    200: {
      description: 'The sessions that have not ended.',
      content: {
        'application/json': {
          schema: SessionList,
          example: {
            data: [
              {
                id: SESSION_ID,
                createdAt: '2026-03-31T21:15:09.204Z',
                seenAt: '2026-03-31T21:18:00.120Z',
                userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
                address: '192.0.2.7',
                current: true,
              },
            ],
            pagination: { limit: 100, nextCursor: null, hasNextPage: false },
          },
        },
      },
    },
    ...problemResponses([]),
  },
};

export const endSession = {
  operationId: 'endSession',
  tags: ['People'],
  summary: "End one of one's own sessions",
  params: Type.Object({
    id: Type.String({ description: 'The id of the session.', examples: [SESSION_ID] }),
  }),
  response: { ...done('Ended.'), ...problemResponses(['session_not_found', ...WITH_BODY]) },
};

export const endSessions = {
  operationId: 'endOtherSessions',
  tags: ['People'],
  summary: "End all one's own sessions but this one",
  response: { ...done('Ended.'), ...problemResponses(WITH_BODY) },
};

export const changePassword = {
  operationId: 'changePassword',
  tags: ['People'],
  summary: "Change one's own password",
  description:
    'This session gets a new cookie, and the others end. A wrong `current` is a 401 `sign_in_failed`.',
  body: Type.Unsafe<{ current: string; password: string }>({
    ...PasswordChange,
    examples: [{ current: 'a long and secret text', password: 'another long and secret text' }],
  }),
  response: {
    ...done('Changed.', cookie),
    ...problemResponses(
      ['sign_in_failed', 'password_too_weak', 'too_many_attempts', ...WITH_BODY],
      NO_PASSWORD,
    ),
  },
};

export const confirm = {
  operationId: 'confirmSession',
  tags: ['People'],
  summary: 'Prove again who one is',
  description: 'Some acts need a session that was confirmed, or began, in the last 15 minutes.',
  body: Type.Unsafe<{ password: string; code?: string }>({
    ...Confirmation,
    examples: [{ password: 'a long and secret text' }],
  }),
  response: {
    ...done('Confirmed.'),
    ...problemResponses(
      ['sign_in_failed', 'second_step_required', 'too_many_attempts', ...WITH_BODY],
      NO_PASSWORD,
    ),
  },
};

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
  summary: 'Use a link up, and sign in',
  description:
    'The person gets the password, and a session; their other sessions end. A `start` link needs `email` and `name`, too, and ' +
    'makes the first owner. That of a demo signs in without a password.',
  body: Type.Unsafe<{ token: string; password?: string; email?: string; name?: string }>({
    ...LinkAcceptance,
    examples: [{ token: EXAMPLE_TOKEN, password: 'a long and secret text' }],
  }),
  response: {
    ...answerMe('Signed in. The answer is that of GET /me.', cookie),
    ...problemResponses(
      ['link_not_valid', 'password_too_weak', 'too_many_attempts', ...WITH_BODY],
      NO_TOKEN,
    ),
  },
};

export const beginSecondStep = {
  operationId: 'beginSecondStep',
  tags: ['People'],
  summary: 'Begin to use a second step',
  description:
    'Makes the secret for an app (TOTP: SHA-1, 6 digits, 30 seconds). The second step is on once a code of it was sent. ' +
    'When one is on already, the session must be confirmed.',
  response: {
    200: {
      description: 'The secret, in base32 and as the URL that apps read from a QR code.',
      content: {
        'application/json': {
          schema: Type.Object({ secret: Type.String(), url: Type.String() }),
          example: {
            secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
            url: 'otpauth://totp/K%C5%8Dwhai%20Lane:hana%40kowhailane.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=K%C5%8Dwhai%20Lane',
          },
        },
      },
    },
    ...problemResponses(['confirmation_required', ...WITH_BODY]),
  },
};

export const confirmSecondStep = {
  operationId: 'confirmSecondStep',
  tags: ['People'],
  summary: 'Turn the second step on',
  body: Type.Unsafe<{ code: string }>({ ...SecondStepCode, examples: [{ code: '287082' }] }),
  response: {
    200: {
      description:
        'It is on. Each recovery code works once in place of a code; they are shown only here.',
      content: {
        'application/json': {
          schema: Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
          example: { recoveryCodes: ['gezdgnbv-gy3tqojq', '…'] },
        },
      },
    },
    ...problemResponses(['sign_in_failed', 'too_many_attempts', ...WITH_BODY], {
      pointer: '/code',
      detail: 'code is required.',
    }),
  },
};

export const endSecondStep = {
  operationId: 'endSecondStep',
  tags: ['People'],
  summary: 'Turn the second step off',
  response: { ...done('It is off.'), ...problemResponses(['confirmation_required', ...WITH_BODY]) },
};
