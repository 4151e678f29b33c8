import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSlots, getPrincipal, type Principal } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import type { Check, Shutdown } from '../platform/http/index.ts';
import { createEventWait, readEventPage, type EventPage } from './follow.ts';
import { addObjects, type ObjectReaders } from './objects.ts';
import { createFilter, type EventQuery } from './query.ts';
import { streamEvents } from './stream.ts';
import type { WakeUps } from './wake-ups.ts';

/** How many events a stream reads at a time. */
const STREAM_LIMIT = 100;
const SLOTS_MAX = 20;

export interface WaitOptions {
  db: Pool;
  authenticate: Check;
  /** Finds the caller of a request again; undefined when they may no longer make requests. */
  recheckPrincipal: (request: FastifyRequest) => Promise<Principal | undefined>;
  shutdown: Shutdown;
  objects: ObjectReaders;
  wakeUps: WakeUps;
}

/** Creates the two ways to wait for events: a long poll, and a stream. */
export function createEventWaits({
  db,
  authenticate,
  recheckPrincipal,
  shutdown,
  objects,
  wakeUps,
}: WaitOptions) {
  const waitForEvents = createEventWait(db, wakeUps);
  const takeSlot = createSlots({
    max: SLOTS_MAX,
    detail: `A caller may wait for events ${SLOTS_MAX} times at once; end another wait first.`,
    retryMs: 1_000,
  });

  /** Makes a signal that aborts when the client closes the connection, or the service begins to stop. */
  function listenForEnd(reply: FastifyReply): AbortSignal {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    // The client may have closed the connection while the service read the request.
    if (reply.raw.destroyed) gone.abort();
    return AbortSignal.any([gone.signal, shutdown.stopping]);
  }

  /** Waits for the next events that pass the filter. Returns an empty page when the time is up. */
  async function waitForPage(
    request: FastifyRequest,
    reply: FastifyReply,
    query: EventQuery,
    after: number,
  ): Promise<EventPage> {
    const { accountId, actor } = getPrincipal(request);
    const freeSlot = takeSlot(actor.id);
    const signal = AbortSignal.any([listenForEnd(reply), AbortSignal.timeout(query.waitMs)]);
    let page: EventPage = { events: [], sequence: after, hasMore: false };
    try {
      while (page.events.length === 0 && !signal.aborted) {
        await waitForEvents(accountId, page.sequence, signal);
        // Authenticate again: the key may be revoked, the session ended, or the caller may see fewer contacts.
        await authenticate(request, reply);
        const filter = createFilter(getPrincipal(request), query);
        page = await readEventPage(db, accountId, page.sequence, { ...filter, limit: query.limit });
      }
    } finally {
      freeSlot();
    }
    return page;
  }

  function openStream(
    request: FastifyRequest,
    reply: FastifyReply,
    query: EventQuery,
    after: number,
  ): FastifyReply {
    const { accountId, actor } = getPrincipal(request);
    const freeSlot = takeSlot(actor.id);
    const signal = listenForEnd(reply);
    const events = streamEvents({
      after,
      findReader: () => recheckPrincipal(request),
      readPage: async (from, reader) => {
        const filter = { ...createFilter(reader, query), limit: STREAM_LIMIT };
        const page = await readEventPage(db, accountId, from, filter);
        if (!query.withObjects) return page;
        return { ...page, events: await addObjects(db, objects, reader, page.events) };
      },
      waitForEvents: (from, until) => waitForEvents(accountId, from, until),
      signal,
    });
    const stream = Readable.from(events).once('close', freeSlot);
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      .send(stream);
  }

  return { waitForPage, openStream };
}
