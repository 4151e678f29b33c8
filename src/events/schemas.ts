import { Type, type Static } from 'typebox';
import { id, orNull, time } from '../platform/fields/index.ts';
import { EVENT_TYPES } from './data-schemas.ts';
import { TYPED_EVENT_SCHEMAS } from './event-union.ts';

const ACTOR_TYPES = ['user', 'key', 'system'];

export const EventItem = Type.Object(
  {
    id: id('The id of the event, the same for each reader.'),
    type: Type.Enum(EVENT_TYPES, { type: 'string' }),
    sequence: Type.Integer({
      description: 'Its number in the account: without gaps, in the order of the commits.',
    }),
    timestamp: time('When it happened.'),
    actor: Type.Object(
      {
        type: Type.Enum(ACTOR_TYPES, { type: 'string' }),
        id: orNull('string', 'null when `type` is `system`.', { format: 'uuid' }),
      },
      { description: 'The person, API key or command that caused it.' },
    ),
    requestId: orNull('string', 'The request that caused it; null when no request did.'),
    data: Type.Unsafe<{ id: string } & Record<string, unknown>>({
      type: 'object',
      required: ['id'],
      properties: { id: id('The row that it happened to.') },
      description: 'The id, and more for each type.',
    }),
    object: Type.Optional(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'With `include=object`: the row as the API shows it now; null when it is gone, the caller may not see it, or it has no resource.',
      }),
    ),
    objectOmitted: Type.Optional(
      Type.Boolean({ description: 'true when `object` is null because it has over 16 KiB.' }),
    ),
  },
  {
    $id: 'Event',
    description: 'Something that happened. Only its `object` has personal data.',
  },
);
export type EventItem = Static<typeof EventItem>;

const cursor = (description: string) => Type.String({ description, examples: ['ZTEyOA'] });

const EventPage = Type.Object(
  {
    data: Type.Array(Type.Ref('Event#')),
    cursor: cursor('Send it as `after` to get the next events.'),
    hasMore: Type.Boolean({ description: 'Whether the log may already have more events.' }),
  },
  { $id: 'EventPage', description: 'Events in the order of their numbers.' },
);

const EventHead = Type.Object(
  { cursor: cursor('The place after the latest event.') },
  { $id: 'EventHead', description: 'The end of the log of events.' },
);

export const EVENT_SCHEMAS = [EventItem, EventPage, EventHead, ...TYPED_EVENT_SCHEMAS];
