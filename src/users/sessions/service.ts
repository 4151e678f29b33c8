import type { Principal } from '../../access/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { isUuid, newId, toStorable } from '../../platform/text/index.ts';
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

/** The most sessions of a person. The oldest one ends when another begins. */
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

/** Stores that the person of a session has just proved who they are. */
export function confirmPerson(db: Queryable, { accountId, session }: Principal): Promise<void> {
  return confirmSession(db, accountId, session?.id ?? '', new Date());
}

/** Lists the sessions of the person who is signed in, the latest first. */
export function listOwnSessions(
  db: Queryable,
  { accountId, actor }: Principal,
): Promise<ListedSession[]> {
  const now = new Date();
  return listSessions(db, accountId, actor.id, { now, seenAfter: findSeenAfter(now) });
}

/** Ends a session of a person. Returns false when they have no such session. */
export async function endSession(
  db: Queryable,
  { accountId, actor }: Principal,
  id: string,
): Promise<boolean> {
  return isUuid(id) && (await deleteSession(db, accountId, actor.id, id));
}

/** Ends the other sessions of a person. */
export function endOtherSessions(
  db: Queryable,
  { accountId, actor, session }: Principal,
): Promise<void> {
  return deleteSessions(db, accountId, actor.id, session?.id ?? null);
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
