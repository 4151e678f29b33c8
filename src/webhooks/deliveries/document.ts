import { Type } from 'typebox';
import {
  answerPage,
  describeListQuery,
  NO_MEMBERS,
  NO_MEMBERS_FAULT,
  problemResponses,
  RATE_LIMIT_FIELDS,
  WITH_BODY,
} from '../../platform/http/index.ts';
import { params } from '../document.ts';
import { DELIVERY_LIST, type Delivery } from './schemas.ts';

/** The parts of the OpenAPI document on the deliveries of webhooks. */

const tags = ['Webhooks'];

const EXAMPLE: Delivery = {
  id: '01a2144b-2a00-7000-abad-2a0000000001',
  eventId: '01a2144b-2a00-7000-99bf-ae0000000001',
  type: 'unit.status_changed',
  attempt: 2,
  status: 'pending',
  httpStatus: 503,
  ms: 41,
  error: 'answered 503',
  at: '2026-11-25T20:01:00.000Z',
  nextAttemptAt: '2026-11-25T20:06:00.000Z',
  responseStart: 'try later',
};

const deliveryParams = Type.Object({
  ...params.properties,
  deliveryId: Type.String({ description: 'The id of the delivery.', examples: [EXAMPLE.id] }),
});

function answerQueued(deliveries: number) {
  return {
    202: {
      description: 'The deliveries are tried again.',
      headers: RATE_LIMIT_FIELDS,
      content: {
        'application/json': { schema: Type.Ref('WebhookQueued#'), example: { deliveries } },
      },
    },
  };
}

export const listDocument = {
  operationId: 'listWebhookDeliveries',
  tags,
  summary: 'List the deliveries of a webhook',
  description:
    'Those of the newest events first. A delivery is an event for the webhook, with its latest attempt. The records are kept ' +
    'for 30 days.',
  params,
  querystring: describeListQuery(DELIVERY_LIST),
  response: {
    ...answerPage('A page of the deliveries.', 'WebhookDeliveryList', [EXAMPLE]),
    ...problemResponses(['webhook_not_found', 'cursor_invalid'], {
      parameter: 'status',
      detail: 'status must be one of pending, delivered, failed.',
    }),
  },
};

export const retryDocument = {
  operationId: 'retryWebhookDelivery',
  tags,
  summary: 'Try a delivery again',
  description:
    'Sends the event again at once, even when it was delivered, with the same `webhook-id`.',
  params: deliveryParams,
  body: NO_MEMBERS,
  response: {
    ...answerQueued(1),
    ...problemResponses(
      [
        'webhook_not_found',
        'delivery_not_found',
        'confirmation_required',
        'invalid_transition',
        ...WITH_BODY,
      ],
      NO_MEMBERS_FAULT,
    ),
  },
};

export const replayDocument = {
  operationId: 'replayWebhook',
  tags,
  summary: 'Send events of the log again',
  description:
    'Each event has the same `webhook-id` as before, so that a receiver can skip those that it has. New events are sent ' +
    'meanwhile. Events that the webhook has not reached yet are sent anyway, and are not counted.',
  params,
  body: Type.Ref('WebhookReplay#'),
  response: {
    ...answerQueued(12),
    ...problemResponses(
      [
        'webhook_not_found',
        'cursor_expired',
        'confirmation_required',
        'invalid_transition',
        ...WITH_BODY,
      ],
      { pointer: '/from', detail: 'from is required.' },
    ),
  },
};
