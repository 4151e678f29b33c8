import { readEventsByNumber, readEventPage, type EventItem } from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { listWantedTypes } from '../rules.ts';
import { listDue, listFileRequests, type LeasedWebhook } from './store.ts';

const TURN_MAX_EVENTS = 100;
/** The most retries in a turn, such as those of a replay: half of the turn is left for new events. */
const TURN_MAX_DUE = 50;
/** A time after that of every delivery. */
const LATEST = new Date('9999-12-31');

/** An event to send, and how many attempts there were before. */
export interface Attempt {
  event: EventItem;
  attemptsBefore: number;
  /** True for an event after the cursor, false for a retry. */
  isNew: boolean;
}

/** The events of a turn, in the order in which they are sent. */
export interface TurnPlan {
  attempts: Attempt[];
  /** The cursor after all of them were sent. */
  cursor: number;
  /** The numbers of due deliveries whose events were deleted for their age. */
  lost: number[];
}

/**
 * Reads the events of a turn: those of due deliveries, and those after the cursor. A dead endpoint gets one probe, unless its
 * webhook is ordered. The probe is a new event if there is one: an event that the endpoint always refuses would keep it dead.
 */
export async function planTurn(
  db: Queryable,
  webhook: LeasedWebhook,
  now: Date,
): Promise<TurnPlan> {
  if (webhook.step > 0 && !webhook.ordered) {
    const fresh = await readNew(db, webhook, 1);
    if (fresh.attempts.length > 0) return { ...fresh, lost: [] };
    return { ...(await readDue(db, webhook, now, 1)), cursor: fresh.cursor };
  }
  // An ordered webhook that is not paused sends its pending deliveries before any new event, also when they are due later.
  const dueBy = webhook.ordered ? LATEST : now;
  const due = await readDue(db, webhook, dueBy, TURN_MAX_DUE);
  const mayHaveMore = due.attempts.length + due.lost.length === TURN_MAX_DUE;
  if (webhook.ordered && mayHaveMore) return { ...due, cursor: webhook.cursor };
  const fresh = await readNew(db, webhook, TURN_MAX_EVENTS - due.attempts.length);
  return {
    attempts: [...due.attempts, ...fresh.attempts],
    cursor: fresh.cursor,
    lost: due.lost,
  };
}

async function readNew(db: Queryable, webhook: LeasedWebhook, limit: number) {
  const { accountId, cursor, types, bulk } = webhook;
  const page = await readEventPage(db, accountId, cursor, {
    types: listWantedTypes(types),
    subject: null,
    seenBy: null,
    exceptRequests: bulk === 'summary' ? await listFileRequests(db, accountId) : [],
    limit,
  });
  const attempts = page.events.map((event) => ({ event, attemptsBefore: 0, isNew: true }));
  return { attempts, cursor: page.sequence };
}

async function readDue(db: Queryable, webhook: LeasedWebhook, dueBy: Date, limit: number) {
  const due = await listDue(db, webhook, dueBy, limit);
  if (due.length === 0) return { attempts: [], lost: [] };
  const sequences = due.map(({ sequence }) => sequence);
  const events = await readEventsByNumber(db, webhook.accountId, sequences);
  const attemptsOf = new Map(due.map(({ sequence, attempt }) => [sequence, attempt]));
  const found = new Set(events.map(({ sequence }) => sequence));
  return {
    attempts: events.map((event) => ({
      event,
      attemptsBefore: attemptsOf.get(event.sequence) ?? 0,
      isNew: false,
    })),
    lost: sequences.filter((sequence) => !found.has(sequence)),
  };
}
