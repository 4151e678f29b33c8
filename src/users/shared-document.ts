import { Type } from 'typebox';
import { listScopesOfRole } from '../access/index.ts';
import type { Me } from './schemas.ts';

/* The parts of the OpenAPI texts that signing in, links, sessions and the second step share. */

const PERSON_ID = '0196a24b-34ec-7db6-924f-03249bebad2a';
export const SESSION_ID = '0196a24b-3a10-7c1e-8a77-5d2f6a1f0b3c';

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

/** The header of an answer that starts, renews or ends a session. */
export const SESSION_COOKIE = {
  'Set-Cookie': {
    type: 'string',
    description:
      'The cookie of the session: `__Host-offplan`, or `offplan` over plain HTTP on the same machine.',
  },
};

/** Describes a 200 whose body is that of GET /me. */
export function answerMe(description: string, headers: object = {}) {
  return {
    200: {
      description,
      headers,
      content: { 'application/json': { schema: Type.Ref('Me#'), example: EXAMPLE } },
    },
  };
}

/** Describes a 204. */
export const answerNothing = (description: string, headers: object = {}) => ({
  204: { type: 'null', description, headers },
});

export const NO_PASSWORD = { pointer: '/password', detail: 'password is required.' };
