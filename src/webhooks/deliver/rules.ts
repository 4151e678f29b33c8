import { DAY_MS } from '../../platform/text/index.ts';
import type { DisabledReason } from '../rules.ts';
import type { SendResult } from '../send/index.ts';

/** A webhook is disabled after this time without a success, once it has had this many failures. */
const DISABLED_AFTER_MS = 5 * DAY_MS;
const DISABLED_AFTER_FAILURES = 10;

/**
 * An endpoint is dead when this many events have failed since its last success. If only one fails, the event itself may be the
 * cause.
 */
export const DEAD_AFTER_EVENTS = 3;

const JITTER = 0.2;
const RETRY_AFTER_MAX_S = 24 * 60 * 60;

/** The result of an attempt to deliver an event. */
export interface Outcome {
  sequence: number;
  /** How many attempts there were before. */
  attemptsBefore: number;
  result: SendResult;
  at: Date;
}

/** The record of a delivery after an attempt. */
export interface DeliveryRecord {
  status: 'pending' | 'delivered' | 'failed';
  attempt: number;
  nextAttemptAt: Date | null;
}

export const isSuccess = ({ status }: SendResult): boolean =>
  status !== null && status >= 200 && status <= 299;

/** The endpoint says that it is gone for good. */
export const isGone = ({ status }: SendResult): boolean => status === 410;

/** Decides what a delivery is after an attempt. `random` is a number from 0 to 1. */
export function planDelivery(
  { attemptsBefore, result, at }: Outcome,
  scheduleMs: readonly number[],
  random: number,
): DeliveryRecord {
  const attempt = attemptsBefore + 1;
  if (isSuccess(result)) return { status: 'delivered', attempt, nextAttemptAt: null };
  const delayMs = scheduleMs[attempt];
  if (delayMs === undefined) return { status: 'failed', attempt, nextAttemptAt: null };
  const retryAfterMs = Math.min(result.retryAfterSeconds ?? 0, RETRY_AFTER_MAX_S) * 1_000;
  const waitMs = Math.max(addJitter(delayMs, random), retryAfterMs);
  return { status: 'pending', attempt, nextAttemptAt: new Date(at.getTime() + waitMs) };
}

/** Moves a delay by up to a fifth: deliveries that failed together should not be retried together. */
const addJitter = (ms: number, random: number): number =>
  Math.round(ms * (1 - JITTER + 2 * JITTER * random));

/** The successes and failures of an endpoint, and what follows from them. */
export interface Health {
  lastSuccessAt: Date | null;
  failingSince: Date | null;
  failures: number;
  /** The entry of the retry schedule after which a dead endpoint gets its next probe; 0 for an endpoint that is not dead. */
  step: number;
  /** Nothing is sent before this time. */
  pausedUntil: Date | null;
  disabledReason: DisabledReason | null;
}

/** Counts the outcomes of a turn, in the order in which they came. A success resets the failures. */
export function countOutcomes(health: Health, outcomes: Outcome[]): Health {
  let { lastSuccessAt, failingSince, failures, step } = health;
  for (const { result, at } of outcomes)
    if (isSuccess(result)) [lastSuccessAt, failingSince, failures, step] = [at, null, 0, 0];
    else [failingSince, failures] = [failingSince ?? at, failures + 1];
  return { ...health, lastSuccessAt, failingSince, failures, step, pausedUntil: null };
}

interface FailingEndpoint {
  /** How many events have failed since the last success, up to `DEAD_AFTER_EVENTS`. */
  failedEvents: number;
  isGone: boolean;
  now: Date;
  scheduleMs: readonly number[];
  random: number;
}

/** Plans the health of an endpoint after a turn. A failing one is disabled, or dead: a dead one gets one probe for each step. */
export function planHealth(
  health: Health,
  { failedEvents, isGone: saysGone, now, scheduleMs, random }: FailingEndpoint,
): Health {
  const { failingSince, failures } = health;
  if (health.disabledReason !== null || failingSince === null) return health;
  if (saysGone) return { ...health, disabledReason: 'gone' };
  const isLong = now.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS;
  if (isLong && failures >= DISABLED_AFTER_FAILURES)
    return { ...health, disabledReason: 'failing' };
  if (health.step === 0 && failedEvents < DEAD_AFTER_EVENTS) return health;
  const step = health.step + 1;
  const delayMs = scheduleMs[Math.min(step, scheduleMs.length - 1)] ?? 0;
  return { ...health, step, pausedUntil: new Date(now.getTime() + addJitter(delayMs, random)) };
}
