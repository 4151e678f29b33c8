import { Type } from 'typebox';
import {
  answerJson,
  answerNoContent,
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
import { WEBHOOK_LIST, type Webhook } from './schemas.ts';

/** The parts of the OpenAPI document on webhooks. */

const tags = ['Webhooks'];

const EXAMPLE: Webhook = {
  id: '0196a24b-34ec-7db6-924f-03249bebad2a',
  url: 'https://receiver.example/hooks',
  description: 'Tells the website of new stock.',
  types: ['project.*', 'unit.*'],
  include: [],
  bulk: 'summary',
  ordered: false,
  headerNames: ['Authorization'],
  status: 'enabled',
  disabledReason: null,
  createdAt: '2026-11-25T20:00:00.000Z',
  createdBy: { type: 'user', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c1', name: 'Hana Parata' },
  lastSuccessAt: '2026-11-25T20:01:00.000Z',
  failingSince: null,
  lag: 0,
  etag: '"1"',
};
const SHOWN = { ...EXAMPLE, secret: 'whsec_…' };

export const params = Type.Object({
  webhookId: Type.String({ description: 'The id of the webhook.', examples: [EXAMPLE.id] }),
});

const URL_FAULT = { pointer: '/url', detail: 'url is required.' };

export const listDocument = {
  operationId: 'listWebhooks',
  tags,
  summary: 'List the webhooks',
  description: 'The newest first. No answer has a secret or the value of a header.',
  querystring: describeListQuery(WEBHOOK_LIST),
  response: {
    ...answerPage('A page of the webhooks.', 'WebhookList', [EXAMPLE]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'sort',
      detail: 'sort must be -createdAt or createdAt.',
    }),
  },
};

export const showDocument = {
  operationId: 'getWebhook',
  tags,
  summary: 'Show a webhook',
  params,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The webhook, without its secrets.', 'Webhook', EXAMPLE),
    ...problemResponses(['webhook_not_found']),
  },
};

export const createDocument = {
  operationId: 'createWebhook',
  tags,
  summary: 'Make a webhook',
  description:
    'Its first event is the next one of the account. The answer has the secret that deliveries are signed with; it is shown ' +
    'once. The caller needs the scopes that read the events. An account has at most 100 webhooks.',
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('NewWebhook#'),
  response: {
    ...answerCreated('The webhook was made.', 'WebhookWithSecret', SHOWN),
    ...problemResponses(
      [
        'confirmation_required',
        'scope_not_grantable',
        'limit_reached',
        'webhook_url_refused',
        'secret_shown_once',
        'idempotency_key_in_use',
        'idempotency_key_reused',
        ...WITH_BODY,
      ],
      URL_FAULT,
    ),
  },
};

export const changeDocument = {
  operationId: 'changeWebhook',
  tags,
  summary: 'Change a webhook',
  description: 'A change can also turn the webhook off, or on again.',
  consumes: MERGE_PATCH_TYPES,
  params,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('WebhookChanges#'),
  response: {
    ...answerResource('The webhook as it is now.', 'Webhook', { ...EXAMPLE, etag: '"2"' }),
    ...problemResponses(
      [
        'webhook_not_found',
        'confirmation_required',
        'scope_not_grantable',
        'webhook_url_refused',
        'precondition_failed',
        ...WITH_BODY,
      ],
      { pointer: '/types', detail: 'types must not be empty.' },
    ),
  },
};

export const removeDocument = {
  operationId: 'deleteWebhook',
  tags,
  summary: 'Delete a webhook',
  description: 'The records of its deliveries are deleted, too.',
  params,
  headers: IF_MATCH_FIELD,
  response: {
    ...answerNoContent('The webhook is gone.'),
    ...problemResponses([
      'webhook_not_found',
      'confirmation_required',
      'precondition_failed',
      ...WITH_BODY,
    ]),
  },
};

export const rotateDocument = {
  operationId: 'rotateWebhookSecret',
  tags,
  summary: 'Give a webhook a new secret',
  description:
    'The answer has the new secret; it is shown once. For `overlapSeconds` deliveries are signed with both, so that the ' +
    'receiver can change over meanwhile. A secret that was rotated before signs no more.',
  params,
  body: Type.Ref('WebhookRotation#'),
  response: {
    ...answerResource('The webhook with its new secret.', 'WebhookWithSecret', {
      ...SHOWN,
      etag: '"2"',
    }),
    ...problemResponses(['webhook_not_found', 'confirmation_required', ...WITH_BODY], {
      pointer: '/overlapSeconds',
      detail: 'overlapSeconds must be at most 604800.',
    }),
  },
};

export const testDocument = {
  operationId: 'testWebhook',
  tags,
  summary: 'Send a test event',
  description:
    'Sends an event `webhook.test` to this webhook alone, even when it is disabled, and answers with the result. After a ' +
    'success, a failing webhook goes on at once.',
  params,
  body: NO_MEMBERS,
  response: {
    ...answerJson('The result.', 'WebhookTest', {
      delivered: false,
      httpStatus: 503,
      ms: 41,
      error: 'answered 503',
    }),
    ...problemResponses(
      ['webhook_not_found', 'confirmation_required', ...WITH_BODY],
      NO_MEMBERS_FAULT,
    ),
  },
};
