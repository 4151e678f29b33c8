import type { Role } from '../../access/index.ts';
import type { SecondStepFor } from '../../accounts/index.ts';
import { DAY_MS } from '../../platform/text/index.ts';

/** A session ends when it has had no request for this long. */
const IDLE_MS = 14 * DAY_MS;
/** A session ends this long after it began, even if it is in use. */
const LIFE_MS = 90 * DAY_MS;
const RENEW_AFTER_MS = DAY_MS;
/** The former token stays valid this long, for requests that the browser sent before it got the new one. */
const OVERLAP_MS = 60_000;

/** Returns when a session that begins now ends at the latest. */
export function planSession(now: Date): { expiresAt: Date } {
  return { expiresAt: new Date(now.getTime() + LIFE_MS) };
}

/** Returns the time until which the former token is valid when a new one is made now. */
export function endOverlap(now: Date): Date {
  return new Date(now.getTime() + OVERLAP_MS);
}

/** Returns the time from which the next request gets a new token. When the role has changed, it gets one at once. */
export function chooseRenewal(renewedAt: Date, hasSameRole: boolean): Date {
  return new Date(hasSameRole ? renewedAt.getTime() + RENEW_AFTER_MS : 0);
}

/** Returns when a session ends if its person makes no more requests. */
export function findEnd(seenAt: Date, expiresAt: Date): Date {
  return new Date(Math.min(seenAt.getTime() + IDLE_MS, expiresAt.getTime()));
}

/** Returns the time after which a session must have been used; an older one has ended. */
export function findSeenAfter(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/** Whether a person with this role must also send a code to sign in. */
export function requiresSecondStep(role: Role, secondStepFor: SecondStepFor): boolean {
  if (secondStepFor === 'owners_and_managers') return role === 'owner' || role === 'manager';
  return secondStepFor === 'everybody';
}
