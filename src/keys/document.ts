import { Type } from 'typebox';
import {
  answerPage,
  answerCreated,
  answerRead,
  answerResource,
  describeListQuery,
  IDEMPOTENCY_KEY_FIELD,
  IF_MATCH_FIELD,
  IF_NONE_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  NO_MEMBERS,
  NO_MEMBERS_FAULT,
  problemResponses,
  WITH_BODY,
} from '../platform/http/index.ts';
import { KEY_LIST, type Key } from './schemas.ts';

/** The parts of the OpenAPI document on API keys. */

const tags = ['Keys'];

const EXAMPLE: Key = {
  id: '0196a24b-34ec-7db6-924f-03249bebad2a',
  name: 'website',
  scopes: ['stock:read'],
  access: 'read',
  start: 'offplan_0A1B',
  lastFour: 'x7Qz',
  createdAt: '2026-11-25T20:00:00.000Z',
  createdBy: { type: 'user', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c1', name: 'Hana Parata' },
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  rateLimits: { reads: 600, imports: null, writes: null },
  previous: null,
  etag: '"1"',
};
const SHOWN = { ...EXAMPLE, key: 'offplan_…' };

const params = Type.Object({
  keyId: Type.String({ description: 'The id of the key.', examples: [EXAMPLE.id] }),
});

const NAME_FAULT = { pointer: '/name', detail: 'name must be a string that is not blank.' };

export const listDocument = {
  operationId: 'listKeys',
  tags,
  summary: 'List the API keys',
  description:
    'The newest comes first. Revoked and expired keys are in the list, too. No answer has the text of a key.',
  querystring: describeListQuery(KEY_LIST),
  response: {
    ...answerPage('A page of the keys.', 'KeyList', [EXAMPLE]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'revoked',
      detail: 'revoked must be true or false.',
    }),
  },
};

export const showDocument = {
  operationId: 'getKey',
  tags,
  summary: 'Show an API key',
  params,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The key, without its text.', 'Key', EXAMPLE),
    ...problemResponses(['key_not_found']),
  },
};

export const createDocument = {
  operationId: 'createKey',
  tags,
  summary: 'Make an API key',
  description:
    'The answer has the text of the key; it is shown once. A caller can grant only scopes that they have themselves. An ' +
    'account has at most 100 keys that work.',
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('NewKey#'),
  response: {
    ...answerCreated('The key was made.', 'KeyWithText', SHOWN),
    ...problemResponses(
      [
        'confirmation_required',
        'scope_not_grantable',
        'limit_reached',
        'secret_shown_once',
        'idempotency_key_in_use',
        'idempotency_key_reused',
        ...WITH_BODY,
      ],
      NAME_FAULT,
    ),
  },
};

export const findDocument = {
  operationId: 'findKey',
  tags,
  summary: 'Find an API key by its text',
  description:
    'Revoked and expired keys are found, too, and a key by the text that it had before a rotation.',
  body: Type.Ref('KeySearch#'),
  response: {
    ...answerResource('The key, without its text.', 'Key', EXAMPLE),
    ...problemResponses(['key_not_found', ...WITH_BODY], {
      pointer: '/key',
      detail: 'key is required.',
    }),
  },
};

export const changeDocument = {
  operationId: 'changeKey',
  tags,
  summary: 'Change an API key',
  description:
    'The scopes of a key never change. To let it work longer, the caller needs these scopes, as for making a key.',
  consumes: MERGE_PATCH_TYPES,
  params,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('KeyChanges#'),
  response: {
    ...answerResource('The key as it is now.', 'Key', { ...EXAMPLE, etag: '"2"' }),
    ...problemResponses(
      [
        'key_not_found',
        'scope_not_grantable',
        'limit_reached',
        'confirmation_required',
        'precondition_failed',
        ...WITH_BODY,
      ],
      NAME_FAULT,
    ),
  },
};

export const rotateDocument = {
  operationId: 'rotateKey',
  tags,
  summary: 'Give an API key a new text',
  description:
    'The answer has the new text; it is shown once. The old text works for `overlapSeconds` more; the one before it stops at ' +
    'once. The caller needs the scopes of the key.',
  params,
  body: Type.Ref('KeyRotation#'),
  response: {
    ...answerResource('The key with its new text.', 'KeyWithText', { ...SHOWN, etag: '"2"' }),
    ...problemResponses(
      [
        'key_not_found',
        'confirmation_required',
        'scope_not_grantable',
        'invalid_transition',
        ...WITH_BODY,
      ],
      { pointer: '/overlapSeconds', detail: 'overlapSeconds must be at most 604800.' },
    ),
  },
};

export const revokeDocument = {
  operationId: 'revokeKey',
  tags,
  summary: 'Revoke an API key',
  description: 'It stops working within 250 ms everywhere.',
  params,
  body: NO_MEMBERS,
  response: {
    ...answerResource('The key, which is revoked.', 'Key', {
      ...EXAMPLE,
      revokedAt: '2026-11-25T21:00:00.000Z',
      etag: '"2"',
    }),
    ...problemResponses(['key_not_found', 'confirmation_required', ...WITH_BODY], NO_MEMBERS_FAULT),
  },
};
