import { createLookUpCache, type Queryable } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { makeEventCursor } from './ids.ts';
import type { EventFilter } from './query.ts';
import { readLogEnds, readEvents } from './read-store.ts';
import type { EventItem } from './schemas.ts';
import type { WakeUps } from './wake-ups.ts';

/** How often a waiting reader polls for new events when no wake-up arrives. The readers of one account share the query. */
const POLL_EVERY_MS = 200;
/** How many times a page reads further when no event has passed the filter. */
const SCANS_MAX = 5;

/** Finds the number after which a reader begins. Throws a 410 when the log does not have the events after it. */
export async function findStartSequence(
  db: Queryable,
  accountId: string,
  after: number | 'head' | undefined,
): Promise<number> {
  const { oldest, head } = await readLogEnds(db, accountId);
  if (after === 'head') return head;
  if (after === undefined) return oldest;
  // A cursor past the head was read before the database was restored from an older backup.
  if (after >= oldest && after <= head) return after;
  throw new Problem(
    'cursor_expired',
    'The log no longer has the events after this cursor. Read your copy of the data again, then continue after headCursor.',
    { oldestCursor: makeEventCursor(oldest), headCursor: makeEventCursor(head) },
  );
}

/** A page of events, and the number after which the next page begins. */
export interface EventPage {
  events: EventItem[];
  sequence: number;
  hasMore: boolean;
}

/** Reads the next events after a number. */
export async function readEventPage(
  db: Queryable,
  accountId: string,
  after: number,
  { limit, ...filter }: EventFilter & { limit: number },
): Promise<EventPage> {
  const { head } = await readLogEnds(db, accountId);
  let sequence = after;
  for (let scan = 0; scan < SCANS_MAX && sequence < head; scan += 1) {
    const found = await readEvents(db, accountId, { after: sequence, head, limit }, filter);
    ({ sequence } = found);
    if (found.events.length > 0)
      return { events: found.events, sequence, hasMore: sequence < head };
  }
  return { events: [], sequence, hasMore: sequence < head };
}

/**
 * Creates the function that waits until an account has events after a number, or the signal aborts. It returns whether there
 * are such events.
 */
export function createEventWait(db: Queryable, wakeUps: WakeUps) {
  const heads = createLookUpCache(async (id) => (await readLogEnds(db, id)).head);
  wakeUps.subscribe((accountId) => void heads.delete(accountId));

  return async function waitForEvents(
    accountId: string,
    after: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    while (!signal.aborted) {
      const head = await heads.fetch(accountId);
      if (head !== undefined && head > after) return true;
      await wakeUps.wait(accountId, POLL_EVERY_MS, signal);
    }
    return false;
  };
}
