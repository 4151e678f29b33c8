import type { OffplanClient } from './client.ts';
import type { components } from './schema.ts';

/** An event; its `type` tells which data it has. */
export type Event = components['schemas']['TypedEvent'];

export interface FollowOptions {
  /** The cursor of the last batch that was handled, or `head` for events from now on; without it from the oldest event. */
  after?: string | undefined;
  /** Only these types, such as `contact.created`, or `contact.*` for all of a noun. */
  types?: string[];
  /** Only events of this row, and of the activities of this contact. */
  subject?: string;
  /** The most events of a batch, up to 1,000; 1,000 by default, and 100 with `include`. */
  limit?: number;
  /** Each event has its `object`: the row that it happened to, as it is when the event is read. */
  include?: 'object';
  /** Ends the iteration, without an error. */
  signal?: AbortSignal | undefined;
}

export interface EventBatch {
  /** In the order of their `sequence`. Empty when all events up to the cursor were filtered out. */
  events: Event[];
  /** Store it when the events are handled, and give it as `after` to continue with the next ones. */
  cursor: string;
}

/** How long the service waits for events before it answers without any. */
const WAIT_S = 25;
const TIMEOUT_MS = 60_000;

/**
 * Follows the events of the account, and waits for new ones, until the signal aborts. After the first answer it retries without
 * limit. Throws a 410 `cursor_expired` for a cursor whose events are no longer kept.
 */
export async function* followEvents(
  client: OffplanClient,
  { after, types, subject, include, limit = include ? 100 : 1_000, signal }: FollowOptions = {},
): AsyncGenerator<EventBatch, void, undefined> {
  const filter = {
    limit,
    ...(types && { types: types.join() }),
    ...(subject && { subject }),
    ...(include && { include }),
  };
  let cursor: string | undefined;

  async function read(): Promise<EventBatch> {
    // The first answer has the cursor to begin with, so the request does not wait for an event.
    const place =
      cursor === undefined
        ? { ...(after !== undefined && { after }) }
        : { after: cursor, wait: WAIT_S };
    const { data } = await client.GET('/events', {
      params: { query: { ...filter, ...place } },
      ...(signal && { signal }),
      ...(cursor !== undefined && { retries: Infinity, timeoutMs: TIMEOUT_MS }),
    });
    return { events: data.data as Event[], cursor: data.cursor };
  }

  try {
    for (;;) {
      const batch = await read();
      const isNew = batch.cursor !== (cursor ?? after);
      ({ cursor } = batch);
      if (isNew) yield batch;
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
