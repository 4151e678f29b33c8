import type { Principal } from '../../access/index.ts';
import { waitForLookUpCaches, type Queryable } from '../../platform/database/index.ts';
import { isUuid, newId, toStorable } from '../../platform/text/index.ts';
import type { SessionCache } from './look-up.ts';
import { endOverlap, findSeenAfter, planSession } from './rules.ts';
import {
  confirmSession,
  deleteSession,
  deleteSessions,
  insertSession,
  listSessions,
  replaceToken,
  setToken,
  trimSessions,
  type ListedSession,
} from './store.ts';
import { createSessionToken, hashToken } from './token.ts';

export const SESSIONS_MAX = 100;
const USER_AGENT_MAX_LENGTH = 255;

/** The browser or other program with which a person signs in. */
export interface Device {
  address: string;
  userAgent: string | undefined;
}

/** Starts a session of a person, and returns its token. Deletes their sessions that have ended. */
export async function startSession(
  tx: Queryable,
  accountId: string,
  userId: string,
  { address, userAgent }: Device,
  { now, isDemo }: { now: Date; isDemo: boolean },
): Promise<string> {
  const token = createSessionToken(accountId);
  await insertSession(tx, accountId, {
    id: newId(),
    userId,
    tokenSha256: hashToken(token),
    createdAt: now,
    confirmedAt: isDemo ? null : now,
    ...planSession(now),
    userAgent:
      userAgent === undefined ? null : toStorable(userAgent.slice(0, USER_AGENT_MAX_LENGTH)),
    address,
  });
  const seenAfter = findSeenAfter(now);
  await trimSessions(tx, accountId, userId, { now, seenAfter, max: SESSIONS_MAX });
  return token;
}

/** Gives a session a new token. Returns nothing when another request has done so. */
export async function renewSession(
  db: Queryable,
  { accountId, session }: Principal,
  token: string,
): Promise<string | undefined> {
  const now = new Date();
  const renewed = createSessionToken(accountId);
  const isRenewed = await replaceToken(db, accountId, session?.id ?? '', {
    from: hashToken(token),
    to: hashToken(renewed),
    now,
    overlapEnd: endOverlap(now),
  });
  return isRenewed ? renewed : undefined;
}

/**
 * Notes that the person of a session has just proved who they are. It returns when every process knows, so that the request that
 * needed it can be sent again at once.
 */
export async function confirm(
  db: Queryable,
  { accountId, session }: Principal,
  cache: SessionCache,
): Promise<void> {
  await confirmSession(db, accountId, session?.id ?? '', new Date());
  cache.clear();
  await waitForLookUpCaches();
}

export function listOwnSessions(
  db: Queryable,
  { accountId, actor }: Principal,
): Promise<ListedSession[]> {
  const now = new Date();
  return listSessions(db, accountId, actor.id, now, findSeenAfter(now));
}

/** Ends a session of a person: at once in this process, within 250 ms in others. Returns false when they have no such session. */
export async function endSession(
  db: Queryable,
  { accountId, actor }: Principal,
  id: string,
  cache: SessionCache,
): Promise<boolean> {
  try {
    return isUuid(id) && (await deleteSession(db, accountId, actor.id, id));
  } finally {
    // Clear it after a failure as well: if the connection was lost, the session may have ended.
    cache.clear();
  }
}

/** Ends the other sessions of a person. */
export async function endOtherSessions(
  db: Queryable,
  { accountId, actor, session }: Principal,
  cache: SessionCache,
): Promise<void> {
  try {
    await deleteSessions(db, accountId, actor.id, session?.id ?? null);
  } finally {
    cache.clear();
  }
}

/** Gives the session of a person a new token. The former one becomes invalid. */
export async function giveNewToken(
  tx: Queryable,
  { accountId, session }: Principal,
): Promise<string> {
  const token = createSessionToken(accountId);
  await setToken(tx, accountId, session?.id ?? '', hashToken(token), new Date());
  return token;
}
