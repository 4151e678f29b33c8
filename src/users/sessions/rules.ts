import type { Role } from '../../access/index.ts';
import type { SecondStepFor } from '../../accounts/index.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** A session ends when it has had no request for this long. */
const IDLE_MS = 14 * DAY_MS;
/** A session ends this long after it began, even when it is in use. */
const LIFE_MS = 90 * DAY_MS;
const RENEW_AFTER_MS = DAY_MS;
/** The previous token stays valid this long, for requests that the browser sent before it got the new one. */
const OVERLAP_MS = 60_000;

/** Returns the time at which a session that begins now ends at the latest. */
export function planSession(now: Date): { expiresAt: Date } {
  return { expiresAt: new Date(now.getTime() + LIFE_MS) };
}

/** Returns the time until which the previous token is accepted, when a new one is made now. */
export function endOverlap(now: Date): Date {
  return new Date(now.getTime() + OVERLAP_MS);
}

/** Returns the time at or after which the next request gets a new token: at once when the role has changed. */
export function chooseRenewal(renewedAt: Date, hasSameRole: boolean): Date {
  return new Date(hasSameRole ? renewedAt.getTime() + RENEW_AFTER_MS : 0);
}

/** Returns the time at which a session ends unless its person makes another request. */
export function findEnd(seenAt: Date, expiresAt: Date): Date {
  return new Date(Math.min(seenAt.getTime() + IDLE_MS, expiresAt.getTime()));
}

/** Returns the time after which a session must have been used; otherwise it has ended. */
export function findSeenAfter(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/** Whether a person with this role has to sign in with a code, too. */
export function requiresSecondStep(role: Role, secondStepFor: SecondStepFor): boolean {
  if (secondStepFor === 'owners_and_managers') return role === 'owner' || role === 'manager';
  return secondStepFor === 'everybody';
}
