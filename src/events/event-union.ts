import { Type, type TSchema } from 'typebox';
import { EVENT_KINDS, EVENT_TYPES, type EventType } from './data-schemas.ts';

/** Names the schema of a type: `contact.stage_changed` becomes `ContactStageChangedEvent`. */
function nameSchema(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** Makes the schema of the events of one type: an event with the data of that type. */
function describeType(type: EventType): TSchema {
  const { meaning, data } = EVENT_KINDS[type];
  const ownMembers = Type.Object({
    type: Type.Enum([type], { type: 'string' }),
    data: Type.Object({ id: Type.String({ format: 'uuid' }), ...data }),
  });
  return Type.Intersect([Type.Ref('Event#'), ownMembers], {
    $id: nameSchema(type),
    description: meaning,
  });
}

const mapping = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, `#/components/schemas/${nameSchema(type)}`]),
);

/** The schemas of all types of events, and their union with the discriminator `type`. */
export const TYPED_EVENT_SCHEMAS: TSchema[] = [
  ...EVENT_TYPES.map(describeType),
  Type.Unsafe({
    $id: 'TypedEvent',
    description: 'An event; its `type` says which data it has.',
    oneOf: EVENT_TYPES.map((type) => Type.Ref(`${nameSchema(type)}#`)),
    discriminator: { propertyName: 'type', mapping },
  }),
];

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The part of the OpenAPI document on the requests that the service sends to webhooks. */
export const EVENT_WEBHOOKS = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event is delivered',
      description:
        'The request that Offplan sends to each webhook that wants the type of the event, signed as Standard Webhooks 1.0 says. Offplan repeats it until the answer is a 2xx within 15 seconds, so an event can arrive more than once, with the same `webhook-id`.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event, the same in every attempt.'),
        header('webhook-timestamp', 'When this attempt was sent, in seconds since 1970.'),
        header(
          'webhook-signature',
          '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; while a secret is rotated two of them, with a space between.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/TypedEvent' } } },
      },
      responses: {
        '2XX': { description: 'The event is delivered.' },
        '410': { description: 'The webhook is disabled.' },
        default: { description: 'The event is sent again later; redirects are not followed.' },
      },
    },
  },
};
