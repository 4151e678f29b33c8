import sql from 'sql-template-tag';
import type { Role } from '../../access/index.ts';
import type { AgentsSee, SecondStepFor } from '../../accounts/index.ts';
import { query, type Queryable } from '../../platform/database/index.ts';

export interface NewSession {
  id: string;
  userId: string;
  tokenSha256: Buffer;
  createdAt: Date;
  /** Null in a demo. */
  confirmedAt: Date | null;
  expiresAt: Date;
  userAgent: string | null;
  address: string;
}

/** Inserts a session with the role that the person has now. A session whose role is no longer theirs gets a new token. */
export async function insertSession(
  tx: Queryable,
  accountId: string,
  session: NewSession,
): Promise<void> {
  const { id, userId, tokenSha256, createdAt, confirmedAt, expiresAt, userAgent, address } =
    session;
  await query(
    tx,
    'session_insert',
    sql`insert into sessions (account_id, id, user_id, token_sha256, role, created_at, renewed_at,
        seen_at, confirmed_at, expires_at, user_agent, address)
      select ${accountId}, ${id}, ${userId}, ${tokenSha256}, role, ${createdAt}, ${createdAt},
        ${createdAt}, ${confirmedAt}, ${expiresAt}, ${userAgent}, ${address}
      from users where account_id = ${accountId} and id = ${userId}`,
  );
}

/** A valid session, with its person. */
interface UsableSession {
  id: string;
  userId: string;
  name: string;
  role: Role;
  /** Whether the person still has the role of the time when the token was made. */
  hasSameRole: boolean;
  hasSecondStep: boolean;
  /** The settings of the account that decide what the person may do. */
  agentsSee: AgentsSee;
  secondStepFor: SecondStepFor;
  /** Whether the token is the current one of the session; false for the former one. */
  isCurrent: boolean;
  previousUntil: Date | null;
  createdAt: Date;
  renewedAt: Date;
  seenAt: Date;
  confirmedAt: Date | null;
  expiresAt: Date;
}

/** Finds the session of a token, unless it has ended or its person is not active. */
export async function findUsableSession(
  db: Queryable,
  accountId: string,
  tokenSha256: Buffer,
  { now, seenAfter }: { now: Date; seenAfter: Date },
): Promise<UsableSession | undefined> {
  const [row] = await query<UsableSession>(
    db,
    'session_look_up',
    sql`select sessions.id, users.id as "userId", users.name, users.role,
        users.role = sessions.role as "hasSameRole", settings.*,
        exists (
          select from second_steps
          where second_steps.account_id = ${accountId} and second_steps.user_id = users.id
            and second_steps.secret is not null
        ) as "hasSecondStep",
        sessions.token_sha256 = ${tokenSha256} as "isCurrent",
        sessions.previous_until as "previousUntil", sessions.created_at as "createdAt",
        sessions.renewed_at as "renewedAt", sessions.seen_at as "seenAt",
        sessions.confirmed_at as "confirmedAt", sessions.expires_at as "expiresAt"
      from (
          select * from sessions where account_id = ${accountId} and token_sha256 = ${tokenSha256}
          union all
          select * from sessions
          where account_id = ${accountId} and previous_sha256 = ${tokenSha256} and previous_until > ${now}
        ) sessions
        cross join lateral (
          select * from users
          where account_id = ${accountId} and id = sessions.user_id and active
          offset 0
        ) users
        cross join lateral (
          select agents_see as "agentsSee", second_step_for as "secondStepFor" from accounts
          where account_id = ${accountId}
          offset 0
        ) settings
      where sessions.expires_at > ${now} and sessions.seen_at > ${seenAfter}`,
  );
  return row;
}

/** Stores the time of the last use of a session. */
export async function markSessionSeen(
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await query(
    db,
    'session_mark_seen',
    sql`update sessions set seen_at = greatest(seen_at, ${now})
      where account_id = ${accountId} and id = ${id}`,
  );
}

/**
 * Replaces this token of a session by another one, and stores the time of the session's last use. Returns false when another
 * request has replaced the token.
 */
export async function replaceToken(
  tx: Queryable,
  accountId: string,
  id: string,
  { from, to, now, overlapEnd }: { from: Buffer; to: Buffer; now: Date; overlapEnd: Date },
): Promise<boolean> {
  const rows = await query(
    tx,
    'session_renew',
    sql`update sessions set token_sha256 = ${to}, renewed_at = ${now}, seen_at = greatest(seen_at, ${now}),
        previous_sha256 = token_sha256, previous_until = ${overlapEnd},
        role = (select role from users where account_id = ${accountId} and users.id = sessions.user_id)
      where account_id = ${accountId} and id = ${id} and token_sha256 = ${from}
      returning id`,
  );
  return rows.length > 0;
}

/** Gives a session a new token. The former one becomes invalid at once. */
export async function setToken(
  tx: Queryable,
  accountId: string,
  id: string,
  tokenSha256: Buffer,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'session_set_token',
    sql`update sessions set token_sha256 = ${tokenSha256}, renewed_at = ${now}, confirmed_at = ${now},
        previous_sha256 = null, previous_until = null
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Stores that the person has just entered their password. The sessions of a demo stay without it. */
export async function confirmSession(
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await query(
    db,
    'session_confirm',
    sql`update sessions set confirmed_at = ${now}
      where account_id = ${accountId} and id = ${id} and confirmed_at is not null`,
  );
}

export interface ListedSession {
  id: string;
  createdAt: Date;
  seenAt: Date;
  userAgent: string | null;
  address: string;
}

/** Lists the sessions of a person that have not ended, the latest first. */
export function listSessions(
  db: Queryable,
  accountId: string,
  userId: string,
  { now, seenAfter }: { now: Date; seenAfter: Date },
): Promise<ListedSession[]> {
  return query<ListedSession>(
    db,
    'session_list',
    sql`select id, created_at as "createdAt", seen_at as "seenAt", user_agent as "userAgent", address
      from sessions
      where account_id = ${accountId} and user_id = ${userId}
        and expires_at > ${now} and seen_at > ${seenAfter}
      order by created_at desc, id desc`,
  );
}

/** Deletes a session of a person. Returns false when they have no such session. */
export async function deleteSession(
  db: Queryable,
  accountId: string,
  userId: string,
  id: string,
): Promise<boolean> {
  const rows = await query(
    db,
    'session_delete',
    sql`delete from sessions
      where account_id = ${accountId} and user_id = ${userId} and id = ${id} returning id`,
  );
  return rows.length > 0;
}

/** Deletes the sessions of a person, all or all but one. */
export async function deleteSessions(
  db: Queryable,
  accountId: string,
  userId: string,
  exceptId: string | null,
): Promise<void> {
  await query(
    db,
    'sessions_delete',
    sql`delete from sessions where account_id = ${accountId} and user_id = ${userId}
      and id is distinct from ${exceptId}`,
  );
}

/** Deletes the sessions of a person that have ended, and the oldest ones above this number. */
export async function trimSessions(
  tx: Queryable,
  accountId: string,
  userId: string,
  { now, seenAfter, max }: { now: Date; seenAfter: Date; max: number },
): Promise<void> {
  await query(
    tx,
    'sessions_trim',
    sql`delete from sessions where account_id = ${accountId} and user_id = ${userId}
      and (expires_at <= ${now} or seen_at <= ${seenAfter} or id not in (
        select id from sessions where account_id = ${accountId} and user_id = ${userId}
        order by created_at desc, id desc limit ${max}))`,
  );
}
