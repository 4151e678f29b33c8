import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import {
  createQueryReader,
  Problem,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { headDocument, listDocument, showDocument } from './document.ts';
import { findStartSequence, readEventPage } from './follow.ts';
import { makeEventCursor } from './ids.ts';
import { addObjects } from './objects.ts';
import { createFilter, readEventQuery } from './query.ts';
import { findEvent, readLogEnds } from './read-store.ts';
import { EVENT_SCHEMAS } from './schemas.ts';
import { createEventWaits, type WaitOptions } from './wait.ts';

const readShowQuery = createQueryReader(showDocument.querystring);
const config = { scope: 'events:read' } as const;

/** Adds the routes that read the events of the account. */
export function eventRoutes(app: Server, options: WaitOptions): void {
  const { db, shutdown, objects } = options;
  const { waitForPage, openStream } = createEventWaits(options);
  for (const schema of EVENT_SCHEMAS) app.addSchema(schema);

  const list = { config, schema: listDocument, ...SKIP_VALIDATION };
  app.get('/events', list, async (request, reply) => {
    const query = readEventQuery(request, request.query as RawQuery);
    const principal = getPrincipal(request);
    const { accountId } = principal;
    const after = await findStartSequence(db, accountId, query.after);
    if (query.isStream) return openStream(request, reply, query, after);
    const { limit } = query;
    const first = await readEventPage(db, accountId, after, {
      ...createFilter(principal, query),
      limit,
    });
    const isEmpty = first.events.length === 0 && !first.hasMore;
    const mustWait = isEmpty && query.waitMs > 0;
    const page = mustWait ? await waitForPage(request, reply, query, first.sequence) : first;
    // When the wait ended because the service stops, close the connection.
    if (shutdown.stopping.aborted) reply.header('connection', 'close');
    // The caller may see less than before the wait.
    const data = query.withObjects
      ? await addObjects(db, objects, getPrincipal(request), page.events)
      : page.events;
    return { data, cursor: makeEventCursor(page.sequence), hasMore: page.hasMore };
  });

  app.get('/events/head', { config, schema: headDocument }, async (request) => {
    const { head } = await readLogEnds(db, getPrincipal(request).accountId);
    return { cursor: makeEventCursor(head) };
  });

  const show = { config, schema: showDocument, ...SKIP_VALIDATION };
  app.get('/events/:eventId', show, (request) => requireEvent(request));

  async function requireEvent(request: FastifyRequest) {
    const { include } = readShowQuery(request.query as RawQuery);
    const { eventId } = request.params as { eventId: string };
    const principal = getPrincipal(request);
    const id = eventId.toLowerCase();
    const filter = createFilter(principal);
    const event = isUuid(id) ? await findEvent(db, principal.accountId, id, filter) : undefined;
    if (event !== undefined && include === undefined) return event;
    if (event !== undefined) return (await addObjects(db, objects, principal, [event]))[0];
    throw new Problem(
      'event_not_found',
      'eventId must be the id of an event of this account that is still kept.',
    );
  }
}
