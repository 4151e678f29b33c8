import { recordEvents } from '../../accounts/index.ts';
import { SYSTEM, type EventItem, type NewEvent } from '../../events/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { readStatus } from '../rules.ts';
import type { SendResult } from '../send/index.ts';
import { planTurn, type Attempt, type TurnPlan } from './plan-turn.ts';
import {
  countOutcomes,
  DEAD_AFTER_EVENTS,
  isGone,
  isSuccess,
  planDelivery,
  planTrouble,
  type DeliveryRecord,
  type Health,
  type Outcome,
} from './rules.ts';
import { addWantedObjects, createSend, type SendEvent, type SendTools } from './send-event.ts';
import {
  countFailedEvents,
  endTurn,
  failLost,
  isUnchanged,
  lockLeased,
  saveDeliveries,
  type LeasedWebhook,
  type SavedDelivery,
} from './store.ts';

const IN_FLIGHT_MAX = 8;
/** A turn starts no delivery after this time, so that other webhooks get their turns. */
const TURN_MAX_MS = 10_000;
/** How often a turn checks whether its webhook was changed, turned off or deleted. It then starts no more deliveries. */
const RECHECK_MS = 1_000;

export interface TurnOptions extends SendTools {
  db: Pool;
  scheduleMs: readonly number[];
  onError: (error: unknown) => void;
}

/** An attempt that was started. Without an outcome, this process gave it up because it stops, or has lost the lease. */
interface StartedAttempt {
  attempt: Attempt;
  outcome: Outcome | null;
}

/** Runs a turn of a webhook: sends its events, and stores the outcomes. `givingUp` aborts the requests in flight. */
export async function runTurn(
  options: TurnOptions,
  webhook: LeasedWebhook,
  signals: { stopping: AbortSignal; leaseLost: AbortSignal; givingUp: AbortSignal },
): Promise<void> {
  const plan = await planTurn(options.db, webhook, new Date());
  const started = await sendAttempts(options, webhook, plan.attempts, signals);
  if (signals.leaseLost.aborted) return;
  await storeTurn(options, webhook, plan, started);
}

async function sendAttempts(
  options: TurnOptions,
  webhook: LeasedWebhook,
  attempts: Attempt[],
  { stopping, leaseLost, givingUp }: Parameters<typeof runTurn>[2],
): Promise<StartedAttempt[]> {
  if (attempts.length === 0) return [];
  const send = createSendOrFail(options, webhook);
  const events = await addWantedObjects(
    options,
    webhook,
    attempts.map(({ event }) => event),
  );
  const signal = AbortSignal.any([leaseLost, givingUp]);
  const endMs = performance.now() + TURN_MAX_MS;
  const started: StartedAttempt[] = [];
  let failedInRow = 0;
  let next = 0;
  let recheckMs = performance.now() + RECHECK_MS;
  let isCurrent = Promise.resolve(true);

  async function mayBegin(): Promise<boolean> {
    if (performance.now() >= recheckMs) {
      recheckMs = performance.now() + RECHECK_MS;
      isCurrent = isUnchanged(options.db, webhook).catch(() => true);
    }
    if (!(await isCurrent) || stopping.aborted || signal.aborted || performance.now() > endMs)
      return false;
    return failedInRow < (webhook.ordered ? 1 : DEAD_AFTER_EVENTS);
  }

  async function sendOne(attempt: Attempt, event: EventItem): Promise<void> {
    const result = await send(event, signal);
    if (isSuccess(result)) failedInRow = 0;
    else failedInRow += isGone(result) ? DEAD_AFTER_EVENTS : 1;
    const isGivenUp = signal.aborted && result.status === null;
    started.push({ attempt, outcome: isGivenUp ? null : makeOutcome(attempt, result) });
  }

  async function sendUntilEnd(): Promise<void> {
    while (next < attempts.length && (await mayBegin())) {
      const index = next++;
      const [attempt, event] = [attempts[index], events[index]];
      if (attempt !== undefined && event !== undefined) await sendOne(attempt, event);
    }
  }

  const senders = webhook.ordered ? 1 : Math.min(IN_FLIGHT_MAX, attempts.length);
  await Promise.all(Array.from({ length: senders }, sendUntilEnd));
  return started;
}

/** Makes the function that sends. When the secrets cannot be decrypted, each attempt fails with this reason. */
function createSendOrFail(options: TurnOptions, webhook: LeasedWebhook): SendEvent {
  try {
    return createSend(options, webhook);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    options.onError(error);
    const { message } = error;
    const failure = { status: null, ms: 0, responseStart: '', retryAfterSeconds: null };
    return () => Promise.resolve({ ...failure, error: message });
  }
}

const makeOutcome = ({ event, attemptsBefore }: Attempt, result: SendResult): Outcome => ({
  sequence: event.sequence,
  attemptsBefore,
  result,
  at: new Date(),
});

/**
 * Stores the deliveries, the health of the endpoint and the cursor in one transaction. So each event before the cursor was
 * delivered, or has a delivery that will be retried or has failed.
 */
async function storeTurn(
  { db, scheduleMs }: TurnOptions,
  webhook: LeasedWebhook,
  plan: TurnPlan,
  started: StartedAttempt[],
): Promise<void> {
  const { accountId, webhookId } = webhook;
  const now = new Date();
  await runInTransaction(db, async (tx) => {
    const before = await lockLeased(tx, webhook);
    if (before === undefined) return;
    // A request has let the webhook skip these events.
    const isLeftOut = ({ attempt, outcome }: StartedAttempt): boolean =>
      attempt.isNew && attempt.event.sequence <= before.cursor && !isDelivered(outcome);
    const ended = started.filter((each) => !isLeftOut(each));
    const outcomes = ended.flatMap(({ outcome }) => outcome ?? []);
    const records = ended.map(({ attempt, outcome }) =>
      makeRecord(attempt, outcome, now, (made) => planDelivery(made, scheduleMs, Math.random())),
    );
    const sequences = await saveDeliveries(tx, webhook, records);
    const saved = records.filter(({ sequence }) => sequences.has(sequence));
    await failLost(tx, webhook, plan.lost);
    const counted = outcomes.length === 0 ? before : countOutcomes(before, outcomes);
    const { failingSince } = counted;
    const hasTrouble = outcomes.length > 0 && failingSince !== null;
    const health = hasTrouble
      ? planTrouble(webhook.ordered ? waitForHead(counted, saved) : counted, {
          failedEvents: webhook.ordered
            ? 0
            : await countFailedEvents(tx, webhook, failingSince, DEAD_AFTER_EVENTS),
          isGone: outcomes.some(({ result }) => isGone(result)),
          now,
          scheduleMs,
          random: Math.random(),
        })
      : counted;
    const reason = health.disabledReason;
    if (before.disabledReason === null && (reason === 'failing' || reason === 'gone')) {
      const data = { reason };
      const event: NewEvent = { type: 'webhook.disabled', subject: webhookId, data };
      await recordEvents(tx, accountId, [{ author: SYSTEM, events: [event] }], { now, rows: 0 });
    }
    const hasNewStatus = readStatus(before) !== readStatus(health);
    const cursor = findCursor(webhook, plan, started);
    await endTurn(tx, webhook, { cursor, health, now, hasNewStatus });
  });
}

const isDelivered = (outcome: Outcome | null): boolean =>
  outcome !== null && isSuccess(outcome.result);

/** Pauses an ordered webhook until its first pending event is due again. */
function waitForHead(health: Health, saved: SavedDelivery[]): Health {
  const head = saved.find(({ status }) => status === 'pending');
  return { ...health, pausedUntil: head?.nextAttemptAt ?? null };
}

/** Finds the new cursor: the number of the event before the first one that was not started. */
function findCursor(
  { cursor }: LeasedWebhook,
  { attempts, cursor: end }: TurnPlan,
  started: StartedAttempt[],
): number {
  const startedAttempts = new Set(started.map(({ attempt }) => attempt));
  const fresh = attempts.filter(({ isNew }) => isNew);
  const left = fresh.findIndex((attempt) => !startedAttempts.has(attempt));
  if (left < 0) return end;
  return fresh[left - 1]?.event.sequence ?? cursor;
}

/** Makes the delivery after an attempt. One that was given up is due at once. */
function makeRecord(
  { event, attemptsBefore }: Attempt,
  outcome: Outcome | null,
  now: Date,
  plan: (outcome: Outcome) => DeliveryRecord,
): SavedDelivery {
  const record: DeliveryRecord =
    outcome === null
      ? { status: 'pending', attempt: attemptsBefore, nextAttemptAt: now }
      : plan(outcome);
  return describeDelivery(event, record, outcome?.result ?? null, outcome?.at ?? now);
}

/** Makes the delivery of an event, with the answer of the endpoint. */
export function describeDelivery(
  event: EventItem,
  record: DeliveryRecord,
  result: SendResult | null,
  at: Date,
): SavedDelivery {
  const { contactId } = event.data;
  const isOfContact = event.type.startsWith('contact.');
  return {
    ...record,
    sequence: event.sequence,
    type: event.type,
    subject: event.data.id,
    contactId: isOfContact ? event.data.id : typeof contactId === 'string' ? contactId : null,
    eventAt: event.timestamp,
    httpStatus: result?.status ?? null,
    ms: result?.ms ?? null,
    error: result?.error ?? null,
    responseStart: result?.responseStart || null,
    at,
  };
}
