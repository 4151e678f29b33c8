import {
  findStartSequence,
  makeEventId,
  readEventCursor,
  readEventId,
  type EventType,
} from '../../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { invalidRequest, Problem, type Fault } from '../../platform/http/index.ts';
import { isUuid, parseInstant } from '../../platform/text/index.ts';
import { listFileRequests } from '../deliver/store.ts';
import { listWantedTypes } from '../rules.ts';
import { requireStored } from '../service.ts';
import { lockWebhook, endPause, type StoredWebhook } from '../store.ts';
import type { Delivery, Replay } from './schemas.ts';
import {
  replayAll,
  replayFailed,
  retryDelivery,
  type WebhookOfAccount,
  type ReplaySelection,
  type StoredDelivery,
} from './store.ts';

/** How many events of the log one transaction of a replay reads. */
const CHUNK_EVENTS = 5_000;

/** Presents a delivery as the API shows it. Its id is made of the event and the webhook, so that it needs no index. */
export function presentDelivery(webhookId: string, delivery: StoredDelivery): Delivery {
  const {
    sequence: digits,
    subject,
    eventAt,
    at,
    nextAttemptAt,
    responseStart,
    ...shown
  } = delivery;
  const sequence = Number(digits);
  return {
    id: makeEventId({ at: eventAt, sequence, subject: webhookId }),
    eventId: makeEventId({ at: eventAt, sequence, subject }),
    ...shown,
    at: at.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    responseStart: responseStart ?? '',
  };
}

/** Makes the function that gives the place of a delivery in the list: its id, which has the sequence that sorts the list. */
export const createPlaceOf = (webhookId: string) => (delivery: StoredDelivery) => ({
  id: presentDelivery(webhookId, delivery).id,
  value: null,
});

/** Retries a delivery at once, even one that was delivered. */
export function retry(
  db: Pool,
  { accountId, webhookId }: WebhookOfAccount,
  deliveryId: string,
): Promise<{ deliveries: number }> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    const { id } = await lockSending(tx, accountId, webhookId);
    const isFound =
      isUuid(deliveryId) && (await retryById(tx, { accountId, webhookId: id }, deliveryId, now));
    if (!isFound)
      throw new Problem(
        'delivery_not_found',
        'The webhook has no such delivery, or none any more.',
      );
    await endPause(tx, accountId, id, now);
    return { deliveries: 1 };
  });
}

function retryById(
  tx: Queryable,
  webhook: WebhookOfAccount,
  deliveryId: string,
  now: Date,
): Promise<boolean> {
  const id = deliveryId.toLowerCase();
  const { sequence } = readEventId(id);
  const eventAt = new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
  const isOfWebhook = makeEventId({ at: eventAt, sequence, subject: webhook.webhookId }) === id;
  // An id of another webhook finds nothing: no event has the number 0.
  const wanted = isOfWebhook ? { sequence, eventAt } : { sequence: 0, eventAt: now };
  return retryDelivery(tx, webhook, { ...wanted, now });
}

/**
 * Sends events of the log again: all, or those whose delivery has failed. It leaves out the events after the cursor, which follow
 * anyway.
 */
export async function replay(
  db: Pool,
  { accountId, webhookId }: WebhookOfAccount,
  { from, until, types, onlyFailed = false }: Replay,
): Promise<{ deliveries: number }> {
  const [start, end] = [
    readPlace('from', from),
    until === undefined ? null : readPlace('until', until),
  ];
  const stored = await requireStored(db, accountId, webhookId);
  const target = { accountId, webhookId: stored.id };
  const wanted = listWantedTypes(stored.types);
  const after = await findStartSequence(db, accountId, start.sequence);
  const selection: Omit<ReplaySelection, 'after' | 'until'> = {
    types: types === undefined ? wanted : narrowTypes(wanted, types),
    fromTime: start.time ?? null,
    untilTime: end?.time ?? null,
    exceptRequests: stored.bulk === 'summary' ? await listFileRequests(db, accountId) : [],
    now: new Date(),
  };
  const last = Math.min(stored.cursor, end?.sequence ?? Infinity);
  let deliveries = 0;
  let place = after;
  do {
    const next = Math.min(place + CHUNK_EVENTS, last);
    const part = { ...selection, after: place, until: next };
    deliveries += await runInTransaction(db, async (tx) => {
      await lockSending(tx, accountId, target.webhookId);
      const queued = await (onlyFailed ? replayFailed : replayAll)(tx, target, part);
      if (queued > 0) await endPause(tx, accountId, target.webhookId, selection.now);
      return queued;
    });
    place = next;
  } while (place < last);
  return { deliveries };
}

function narrowTypes(wanted: EventType[], types: string[]): EventType[] {
  const chosen = listWantedTypes(types);
  return wanted.filter((type) => chosen.includes(type));
}

/** Locks a webhook. Throws unless it is enabled. */
async function lockSending(
  tx: Queryable,
  accountId: string,
  webhookId: string,
): Promise<StoredWebhook> {
  if (isUuid(webhookId)) await lockWebhook(tx, accountId, webhookId);
  const stored = await requireStored(tx, accountId, webhookId);
  if (stored.disabledReason === null) return stored;
  throw new Problem('invalid_transition', 'The webhook is disabled; enable it first.');
}

/** Reads a place in the log: a cursor, or a time. */
function readPlace(name: string, text: string): { sequence?: number; time?: Date } {
  const ms = parseInstant(text);
  if (ms !== null) return { time: new Date(ms) };
  const sequence = readEventCursor(text);
  if (sequence !== undefined) return { sequence };
  const detail = `${name} must be a cursor of GET /events, or a time such as 2026-11-25T00:00:00Z.`;
  const fault: Fault = { pointer: `/${name}`, detail };
  throw invalidRequest([fault]);
}
