import {
  createCredentialCache,
  createPersonPrincipal,
  type CredentialCache,
} from '../../access/index.ts';
import type { FindPool } from '../../platform/database/index.ts';
import { chooseRenewal, findEnd, findSeenAfter, requiresSecondStep } from './rules.ts';
import { findUsableSession, markSessionSeen } from './store.ts';
import { hashToken, readAccountId } from './token.ts';

const SEEN_PRECISION_MS = 60_000;

/** The sessions that this process found in the last 250 ms. */
export type SessionCache = CredentialCache;

/** Creates the look-up of session tokens. It stores the time of the last use at most once a minute, without waiting for it. */
export function createSessionCache(
  findPool: FindPool,
  onError: (error: unknown) => void,
): SessionCache {
  return createCredentialCache({
    readAccountId,
    lookUp: async (accountId, token) => {
      const db = await findPool(accountId);
      const now = new Date();
      const times = { now, seenAfter: findSeenAfter(now) };
      const found = await findUsableSession(db, accountId, hashToken(token), times);
      if (found === undefined) return undefined;
      const { id, userId, name, role, isCurrent, previousUntil, expiresAt } = found;
      if (now.getTime() - found.seenAt.getTime() >= SEEN_PRECISION_MS)
        markSessionSeen(db, accountId, id, now).catch(onError);
      const session = {
        id,
        createdAt: found.createdAt,
        confirmedAt: found.confirmedAt,
        expiresAt: findEnd(now, expiresAt),
        needsSecondStep: !found.hasSecondStep && requiresSecondStep(role, found.secondStepFor),
        renewAt: isCurrent ? chooseRenewal(found.renewedAt, found.hasSameRole) : null,
      };
      const contacts = role === 'agent' ? found.agentsSee : 'all';
      return {
        principal: createPersonPrincipal({ accountId, id: userId, name, role, session, contacts }),
        expiresAtMs: (isCurrent ? expiresAt : previousUntil)?.getTime() ?? 0,
      };
    },
  });
}
