import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { answerJson, problemResponses, type ProblemCode } from '../platform/http/index.ts';
import { makeEventId } from './ids.ts';
import { LIMIT_MAX, WAIT_MAX_S } from './query.ts';
import type { EventItem } from './schemas.ts';

const tags = ['Events'];
const CONTACT = '0196a24b-34ed-7302-a3ea-5b2c46f5e0c3';
const IMPORT = '0196a24b-34ec-7db6-924f-03249bebad2a';
const timestamp = '2026-11-25T03:04:05.678Z';

/** The event of the examples. */
export const EXAMPLE_EVENT: EventItem = {
  id: makeEventId({ at: new Date(timestamp), sequence: 1, subject: CONTACT }),
  type: 'contact.created',
  sequence: 1,
  timestamp,
  actor: { type: 'key', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c1' },
  requestId: 'a57539a3846f-1',
  data: { id: CONTACT, changed: ['email', 'phone', 'stage'], importId: IMPORT },
};
const CURSOR = 'ZTE';
const PAGE = { data: [EXAMPLE_EVENT], cursor: CURSOR, hasMore: false };
const STREAM = `id: ${CURSOR}\nevent: contact.created\ndata: ${JSON.stringify(EXAMPLE_EVENT)}\n\n`;

function answer(description: string, schema: string, value: object, codes: ProblemCode[] = []) {
  return {
    ...answerJson(description, schema, value),
    ...problemResponses(codes, {
      parameter: 'limit',
      detail: 'limit must be a whole number of at least 1, written in digits only.',
    }),
  };
}

const page = answer('The events, in their order.', 'EventPage', PAGE, [
  'cursor_invalid',
  'cursor_expired',
]);
const pageContent = page[200].content;
const stream = { 'text/event-stream': { schema: Type.String(), example: STREAM } };

const INCLUDE = Type.Optional(
  Type.Enum(['object'], {
    description: `\`object\`: each event with the row that it happened to, as the API shows it now: a contact, a unit, an activity, a project, a person, a key, a webhook, the organization, or an import as in the list of imports. With a limit of 1,000 events, the answer can have some megabytes.`,
  }),
);

export const listDocument: FastifySchema = {
  operationId: 'listEvents',
  summary: 'Read and follow events',
  description: `What happened in the account: through the API, the console and the commands. Send the \`cursor\` of each answer as \`after\`: no event is missed, and none comes twice. \`wait\` holds the answer until there is an event. With \`Accept: text/event-stream\` the answer is a stream of Server-Sent Events that does not end; a client that connects again sends \`Last-Event-ID\`, and a comment comes every 15 seconds. A caller may wait 20 times at once.

A caller gets the events of what they may read. Events are kept for 30 days, unless the operator has set another time; an older cursor is a 410.`,
  tags,
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({
        description:
          'The `cursor` of an earlier answer, or `head`: only events from now on. Without it from the oldest event.',
      }),
    ),
    types: Type.Optional(
      Type.String({
        description:
          'Only events of these types, such as `contact.created`, or `contact.*` for all of a noun; with commas between them.',
        examples: ['contact.*,unit.status_changed'],
      }),
    ),
    subject: Type.Optional(
      Type.String({
        description: 'Only events of this row, and of the activities of this contact.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: `How many events a page has, at most ${LIMIT_MAX}; 20 without it.`,
        examples: [20],
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: WAIT_MAX_S,
        description: 'How many seconds to wait when there is no event yet.',
        examples: [0],
      }),
    ),
    include: INCLUDE,
  }),
  response: { ...page, 200: { ...page[200], content: { ...pageContent, ...stream } } },
};

export const headDocument: FastifySchema = {
  operationId: 'getEventsHead',
  summary: 'Get the end of the log of events',
  description:
    'The cursor after the latest event. For a copy of the data: get this cursor, read the data, then follow the events after the cursor.',
  tags,
  response: answer('The cursor.', 'EventHead', { cursor: CURSOR }),
};

export const showDocument = {
  operationId: 'getEvent',
  summary: 'Show an event',
  description: 'One event, while it is kept.',
  tags,
  params: Type.Object({
    eventId: Type.String({ description: 'The id of an event.', examples: [EXAMPLE_EVENT.id] }),
  }),
  querystring: Type.Object({ include: INCLUDE }, { additionalProperties: false }),
  response: answer('The event.', 'Event', EXAMPLE_EVENT, ['event_not_found']),
} satisfies FastifySchema;
