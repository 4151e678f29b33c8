import { recordEvents } from '../../accounts/index.ts';
import { SYSTEM, type NewEvent } from '../../events/index.ts';
import { runInTransaction, type Queryable } from '../../platform/database/index.ts';
import { readStatus } from '../rules.ts';
import { describeDelivery } from './describe-delivery.ts';
import { planTurn, type TurnPlan } from './plan-turn.ts';
import {
  countOutcomes,
  DEAD_AFTER_EVENTS,
  isGone,
  isSuccess,
  planDelivery,
  planHealth,
  type DeliveryRecord,
  type Health,
  type Outcome,
} from './rules.ts';
import {
  sendAttempts,
  type SendOptions,
  type StartedAttempt,
  type TurnSignals,
} from './send-attempts.ts';
import {
  countFailedEvents,
  endTurn,
  failLost,
  lockLeased,
  saveDeliveries,
  type LeasedWebhook,
  type SavedDelivery,
} from './store.ts';

export interface TurnOptions extends SendOptions {
  scheduleMs: readonly number[];
}

/** Runs a turn of a webhook: sends events that are due, for a limited time, and stores the outcomes. */
export async function runTurn(
  options: TurnOptions,
  webhook: LeasedWebhook,
  signals: TurnSignals,
): Promise<void> {
  const plan = await planTurn(options.db, webhook, new Date());
  const started = await sendAttempts(options, webhook, plan.attempts, signals);
  if (signals.leaseLost.aborted) return;
  await storeTurn(options, webhook, plan, started);
}

/** The time at which a turn is stored, and the schedule of its retries. */
interface Timing {
  now: Date;
  scheduleMs: readonly number[];
}

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
  const timing = { now: new Date(), scheduleMs };
  await runInTransaction(db, async (tx) => {
    const before = await lockLeased(tx, webhook);
    if (before === undefined) return;
    // A request has let the webhook skip these events.
    const isSkipped = ({ attempt, outcome }: StartedAttempt): boolean =>
      attempt.isNew && attempt.event.sequence <= before.cursor && !isDelivered(outcome);
    const stored = started.filter((each) => !isSkipped(each));
    const deliveries = stored.map((each) => toDelivery(each, timing));
    const sequences = await saveDeliveries(tx, webhook, deliveries);
    const saved = deliveries.filter(({ sequence }) => sequences.has(sequence));
    await failLost(tx, webhook, plan.lost);
    // When a request has changed the webhook meanwhile, these are outcomes of its former settings.
    const isCurrent = before.version === webhook.version;
    const outcomes = isCurrent ? stored.flatMap(({ outcome }) => outcome ?? []) : [];
    const health = await findHealth(tx, webhook, { before, outcomes, saved }, timing);
    if (before.disabledReason === null) await recordDisabling(tx, webhook, health, timing.now);
    await endTurn(tx, webhook, {
      cursor: findCursor(webhook, plan, started.length),
      health,
      now: timing.now,
      hasNewStatus: readStatus(before) !== readStatus(health),
    });
  });
}

const isDelivered = (outcome: Outcome | null): boolean =>
  outcome !== null && isSuccess(outcome.result);

/** Makes the delivery of an attempt. One that was given up is due at once. */
function toDelivery(
  { attempt: { event, attemptsBefore }, outcome }: StartedAttempt,
  { now, scheduleMs }: Timing,
): SavedDelivery {
  if (outcome !== null) {
    const record = planDelivery(outcome, scheduleMs, Math.random());
    return describeDelivery(event, record, outcome);
  }
  const record: DeliveryRecord = {
    status: 'pending',
    attempt: attemptsBefore,
    nextAttemptAt: now,
  };
  return describeDelivery(event, record, { result: null, at: now });
}

/** The health before a turn, the outcomes of the turn, and the deliveries that it has saved. */
interface TurnOutcomes {
  before: Health;
  outcomes: Outcome[];
  saved: SavedDelivery[];
}

/** Finds the health of an endpoint after a turn. */
async function findHealth(
  tx: Queryable,
  webhook: LeasedWebhook,
  { before, outcomes, saved }: TurnOutcomes,
  timing: Timing,
): Promise<Health> {
  if (outcomes.length === 0) return before;
  const counted = countOutcomes(before, outcomes);
  const { failingSince } = counted;
  if (failingSince === null) return counted;
  const failedEvents = webhook.ordered
    ? 0
    : await countFailedEvents(tx, webhook, failingSince, DEAD_AFTER_EVENTS);
  return planHealth(webhook.ordered ? waitForHead(counted, saved) : counted, {
    failedEvents,
    isGone: outcomes.some(({ result }) => isGone(result)),
    random: Math.random(),
    ...timing,
  });
}

/** Pauses an ordered webhook until its first pending event is due again. */
function waitForHead(health: Health, saved: SavedDelivery[]): Health {
  const head = saved.find(({ status }) => status === 'pending');
  return { ...health, pausedUntil: head?.nextAttemptAt ?? null };
}

/** Records the event of a webhook that its failures have disabled. */
async function recordDisabling(
  tx: Queryable,
  { accountId, webhookId }: LeasedWebhook,
  { disabledReason: reason }: Health,
  now: Date,
): Promise<void> {
  if (reason !== 'failing' && reason !== 'gone') return;
  const event: NewEvent = { type: 'webhook.disabled', subject: webhookId, data: { reason } };
  await recordEvents(tx, accountId, [{ author: SYSTEM, events: [event] }], { now, rows: 0 });
}

/** Finds the new cursor: the number of the event before the first new one that was not started. */
function findCursor(
  { cursor }: LeasedWebhook,
  { attempts, cursor: end }: TurnPlan,
  startedCount: number,
): number {
  const isAnyLeft = attempts.slice(startedCount).some(({ isNew }) => isNew);
  if (!isAnyLeft) return end;
  const last = attempts.slice(0, startedCount).findLast(({ isNew }) => isNew);
  return last?.event.sequence ?? cursor;
}
