import type { EventItem } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import type { SendResult } from '../send/index.ts';
import type { Attempt } from './plan-turn.ts';
import { DEAD_AFTER_EVENTS, isGone, isSuccess, type Outcome } from './rules.ts';
import { addWantedObjects, createSend, type SendEvent, type SendTools } from './send-event.ts';
import { isUnchanged, type LeasedWebhook } from './store.ts';

const IN_FLIGHT_MAX = 8;
/** A turn starts no delivery after this time, so that other webhooks get their turns. */
const TURN_MAX_MS = 10_000;
/** How often a turn checks whether its webhook was changed, turned off or deleted. It then starts no more deliveries. */
const RECHECK_MS = 1_000;

export interface SendOptions extends SendTools {
  db: Pool;
  onError: (error: unknown) => void;
}

export interface TurnSignals {
  /** The process stops: start no more deliveries. */
  stopping: AbortSignal;
  /** Another process may send the events of the webhook: abort the requests in flight, and store nothing. */
  leaseLost: AbortSignal;
  /** The process cannot wait any longer: abort the requests in flight. */
  givingUp: AbortSignal;
}

/** An attempt that was started. Without an outcome, this process gave it up because it stops, or has lost the lease. */
export interface StartedAttempt {
  attempt: Attempt;
  outcome: Outcome | null;
}

/**
 * Sends the events of attempts, those of an ordered webhook one after another. It starts the attempts in their order, and returns
 * those that it has started: not all, when the time of the turn is over, or so many fail that the endpoint may be dead.
 */
export async function sendAttempts(
  options: SendOptions,
  webhook: LeasedWebhook,
  attempts: Attempt[],
  { stopping, leaseLost, givingUp }: TurnSignals,
): Promise<StartedAttempt[]> {
  if (attempts.length === 0) return [];
  const send = createSendOrFail(options, webhook);
  const events = attempts.map(({ event }) => event);
  const sentEvents = await addWantedObjects(options, webhook, events);
  const signal = AbortSignal.any([leaseLost, givingUp]);
  const isCurrent = createRecheck(() => isUnchanged(options.db, webhook));
  const endMs = performance.now() + TURN_MAX_MS;
  const failuresMax = webhook.ordered ? 1 : DEAD_AFTER_EVENTS;
  const started: StartedAttempt[] = [];
  let failedInRow = 0;

  async function mayStart(): Promise<boolean> {
    if (!(await isCurrent())) return false;
    const isOver = stopping.aborted || signal.aborted || performance.now() > endMs;
    return !isOver && failedInRow < failuresMax;
  }

  async function sendOne(attempt: Attempt, event: EventItem): Promise<void> {
    const result = await send(event, signal);
    if (isSuccess(result)) failedInRow = 0;
    else failedInRow += isGone(result) ? DEAD_AFTER_EVENTS : 1;
    const isGivenUp = signal.aborted && result.status === null;
    started.push({ attempt, outcome: isGivenUp ? null : makeOutcome(attempt, result) });
  }

  // All senders take their attempts from this iterator.
  const remaining = attempts.entries();
  async function sendUntilEnd(): Promise<void> {
    while (await mayStart()) {
      const { value: next } = remaining.next();
      if (next === undefined) return;
      const [index, attempt] = next;
      await sendOne(attempt, sentEvents[index] ?? attempt.event);
    }
  }

  const senders = webhook.ordered ? 1 : Math.min(IN_FLIGHT_MAX, attempts.length);
  await Promise.all(Array.from({ length: senders }, sendUntilEnd));
  return started;
}

/** Creates a function that repeats a check at intervals, and returns its last result. A check that fails does not count. */
function createRecheck(check: () => Promise<boolean>): () => Promise<boolean> {
  let nextMs = performance.now() + RECHECK_MS;
  let last = Promise.resolve(true);
  return () => {
    if (performance.now() >= nextMs) {
      nextMs = performance.now() + RECHECK_MS;
      last = check().catch(() => true);
    }
    return last;
  };
}

/** Makes the function that sends. When the secrets cannot be decrypted, each attempt fails with this reason. */
function createSendOrFail(options: SendOptions, webhook: LeasedWebhook): SendEvent {
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
