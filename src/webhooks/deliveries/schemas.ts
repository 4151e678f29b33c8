import { Type, type Static } from 'typebox';
import { EVENT_TYPES } from '../../events/index.ts';
import { WANTED_TYPES } from '../schemas.ts';
import { orNull } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    eventId: Type.String({
      format: 'uuid',
      description: 'The event; `webhook-id` in each request.',
    }),
    type: Type.Enum(EVENT_TYPES, { type: 'string', description: 'The type of the event.' }),
    attempt: Type.Integer({
      description:
        'How many attempts were made since the event, or since the last retry or replay.',
    }),
    status: Type.Enum([...DELIVERY_STATUSES], {
      type: 'string',
      description: '`pending`: another attempt follows.',
    }),
    httpStatus: orNull('integer', 'The status that the endpoint answered the latest attempt with.'),
    ms: orNull('integer', 'How long the latest attempt took.'),
    error: orNull('string', 'Why the latest attempt failed.'),
    at: Type.String({
      format: 'date-time',
      description:
        'The time of the latest attempt. Before the first one, the time at which it was requested.',
    }),
    nextAttemptAt: orNull(
      'string',
      'When the next attempt is due; null when none is, and while the webhook is disabled.',
      {
        format: 'date-time',
      },
    ),
    responseStart: Type.String({
      description: 'The first 4 KiB of the answer. It is emptied when the contact is erased.',
    }),
  },
  { $id: 'WebhookDelivery', description: 'An event for a webhook, and the result of sending it.' },
);
export type Delivery = Static<typeof Delivery>;

const DeliveryPage = describePage('WebhookDelivery', 'A page of deliveries.');

/** The filter of the list of deliveries. */
export const DeliveryFilter = Type.Object(
  {
    status: Type.Optional(
      Type.Array(Type.Enum([...DELIVERY_STATUSES], { type: 'string' }), {
        type: 'array',
        description: 'What became of it.',
      }),
    ),
    type: Type.Optional(
      Type.Array(Type.Enum(EVENT_TYPES, { type: 'string' }), {
        type: 'array',
        description: 'The type of the event.',
      }),
    ),
    event: Type.Optional(Type.String({ description: 'The id of the event.' })),
  },
  { additionalProperties: false },
);
export type DeliveryFilter = Static<typeof DeliveryFilter>;

export const DELIVERY_LIST = { filter: DeliveryFilter, sorts: ['-sequence'] } as const;

const Replay = Type.Object(
  {
    from: Type.String({
      maxLength: 100,
      description:
        'The cursor after which to begin, as GET /events has it, or a time in ISO 8601 with an offset.',
    }),
    until: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The cursor or the time at which to end; now without it.',
      }),
    ),
    types: Type.Optional(
      Type.Array(Type.Enum(WANTED_TYPES, { type: 'string' }), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Of the types that the webhook gets, only these, such as `contact.*` or `unit.created`.',
      }),
    ),
    onlyFailed: Type.Optional(
      Type.Boolean({ description: 'Only deliveries that have failed; false without it.' }),
    ),
  },
  {
    $id: 'WebhookReplay',
    description: 'The events to send again.',
    additionalProperties: false,
    examples: [{ from: '2026-11-25T00:00:00Z', onlyFailed: true }],
  },
);
export type Replay = Static<typeof Replay>;

const Queued = Type.Object(
  { deliveries: Type.Integer({ description: 'How many deliveries are tried again.' }) },
  { $id: 'WebhookQueued', description: 'The deliveries that are tried again.' },
);

export const DELIVERY_SCHEMAS = [Delivery, DeliveryPage, Replay, Queued];
