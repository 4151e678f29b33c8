import sql, { empty, type Sql } from 'sql-template-tag';
import { query, queryOnce, type Queryable } from '../../platform/database/index.ts';
import { hasNoLease } from '../../platform/jobs/index.ts';
import type { DeliveryRecord, Health } from './rules.ts';

/** The right of a process to send the events of a webhook. */
export interface Lease {
  accountId: string;
  webhookId: string;
  token: string;
}

/** A webhook whose events this process sends, and its place in the log. */
export interface LeasedWebhook extends Lease {
  version: number;
  url: string;
  types: string[];
  withObjects: boolean;
  bulk: 'summary' | 'each';
  ordered: boolean;
  headers: Buffer | null;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Date | null;
  cursor: number;
  step: number;
}

/** The accounts whose webhooks are listed. */
interface Selection {
  now: Date;
  /** null for all accounts. */
  accountIds: string[] | null;
  /** The accounts that have as many turns as they may have. */
  except: string[];
  limit: number;
}

/** Lists webhooks that have something to send and no lease, those that have waited longest first. */
export function listWaiting(
  db: Queryable,
  { now, accountIds, except, limit }: Selection,
): Promise<Omit<Lease, 'token'>[]> {
  const list = (ofAccounts: Sql) =>
    sql`select webhooks.account_id as "accountId", webhooks.id as "webhookId"
      from webhooks join account_revisions on account_revisions.account_id = webhooks.account_id
      where disabled_reason is null and ${hasNoLease(now)}
        and (paused_until is null or paused_until <= ${now})
        and (account_revisions.sequence > cursor or due_at <= ${now})
        and webhooks.account_id <> all(${except}::uuid[]) ${ofAccounts}
      order by lease_until nulls first, webhooks.id limit ${limit}`;
  // Plan it for its values: the installation may have few webhooks or many.
  if (accountIds === null) return queryOnce(db, 'webhooks_list_waiting', list(empty));
  // This statement runs after each lead, and planning it takes longer than running it, so prepare it. Citus needs the accounts of
  // both tables to ask their shards alone.
  return query(
    db,
    'webhooks_list_waiting_of_accounts',
    list(sql`and webhooks.account_id = any(${accountIds}::uuid[])
      and account_revisions.account_id = any(${accountIds}::uuid[])`),
  );
}

/** Takes the lease of a webhook; undefined when another process has taken it meanwhile. */
export async function takeLease(
  db: Queryable,
  { accountId, webhookId, token }: Lease,
  { now, until }: { now: Date; until: Date },
): Promise<LeasedWebhook | undefined> {
  const [row] = await query<Omit<LeasedWebhook, keyof Lease | 'cursor'> & { cursor: string }>(
    db,
    'webhook_lease_take',
    sql`update webhooks set lease = ${token}, lease_until = ${until}
      where account_id = ${accountId} and id = ${webhookId} and disabled_reason is null
        and ${hasNoLease(now)} and (paused_until is null or paused_until <= ${now})
      returning version, url, types, with_objects as "withObjects", bulk, ordered, headers, secret,
        previous_secret as "previousSecret", previous_until as "previousUntil", cursor, step`,
  );
  return row && { ...row, accountId, webhookId, token, cursor: Number(row.cursor) };
}

/** Renews a lease. Returns false when another process has it, or the webhook is gone. */
export async function renewLease(
  db: Queryable,
  { accountId, webhookId, token }: Lease,
  until: Date,
): Promise<boolean> {
  const rows = await query(
    db,
    'webhook_lease_renew',
    sql`update webhooks set lease_until = ${until}
      where account_id = ${accountId} and id = ${webhookId} and lease = ${token} returning true`,
  );
  return rows.length > 0;
}

/** Whether a webhook is still as it was when its lease was taken: not changed, turned off or deleted. */
export async function isUnchanged(
  db: Queryable,
  { accountId, webhookId, version }: LeasedWebhook,
): Promise<boolean> {
  const rows = await query(
    db,
    'webhook_is_unchanged',
    sql`select from webhooks where account_id = ${accountId} and id = ${webhookId} and version = ${version}`,
  );
  return rows.length > 0;
}

/** Lists the requests that started or undid imports of contact files. The events of the rows have the ids of these requests. */
export async function listFileRequests(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await query<{ requestId: string }>(
    db,
    'webhook_file_requests',
    sql`select "requestId" from contact_files cross join lateral (
        select options -> 'author' ->> 'requestId' as "requestId"
        union all select json_array_elements_text(options -> 'formerRequestIds')
      ) asked
      where account_id = ${accountId} and "requestId" is not null`,
  );
  return rows.map(({ requestId }) => requestId);
}

/** Lists the deliveries of a webhook that are due by a time, the oldest events first. */
export async function listDue(
  db: Queryable,
  { accountId, webhookId }: Lease,
  dueBy: Date,
  limit: number,
): Promise<{ sequence: number; attempt: number }[]> {
  const rows = await query<{ sequence: string; attempt: number }>(
    db,
    'webhook_deliveries_due',
    sql`select sequence, attempt from webhook_deliveries
      where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'pending' and next_attempt_at <= ${dueBy}
      order by sequence limit ${limit}`,
  );
  return rows.map(({ sequence, attempt }) => ({ sequence: Number(sequence), attempt }));
}

/** Locks the webhook and reads its cursor, its version and the health of its endpoint; undefined when this process has lost the lease. */
export async function lockLeased(
  tx: Queryable,
  { accountId, webhookId, token }: Lease,
): Promise<(Health & Pick<LeasedWebhook, 'cursor' | 'version'>) | undefined> {
  const [row] = await query<Health & Pick<LeasedWebhook, 'cursor' | 'version'>>(
    tx,
    'webhook_lock_leased',
    sql`select cursor::float8 as cursor, version, last_success_at as "lastSuccessAt", failing_since as "failingSince", failures, step,
        paused_until as "pausedUntil", disabled_reason as "disabledReason"
      from webhooks
      where account_id = ${accountId} and id = ${webhookId} and lease = ${token}
      for update`,
  );
  return row;
}

/** A delivery after an attempt, as it is stored. */
export interface SavedDelivery extends DeliveryRecord {
  sequence: number;
  type: string;
  subject: string;
  contactId: string | null;
  eventAt: string;
  httpStatus: number | null;
  ms: number | null;
  error: string | null;
  responseStart: string | null;
  at: Date;
}

/**
 * Stores deliveries after their attempts, and returns their sequences. A failed attempt does not replace a delivery that a request
 * has left out or made due during the attempt. An endpoint's answer to an event of a contact may contain personal data, so it is
 * left out when the contact was erased meanwhile.
 */
export async function saveDeliveries(
  tx: Queryable,
  { accountId, webhookId }: Omit<Lease, 'token'>,
  deliveries: SavedDelivery[],
): Promise<Set<number>> {
  if (deliveries.length === 0) return new Set();
  const rows = await query<{ sequence: number }>(
    tx,
    'webhook_deliveries_save',
    sql`insert into webhook_deliveries (account_id, webhook_id, sequence, type, subject, contact_id, event_at, status,
        attempt, http_status, ms, error, response_start, at, next_attempt_at)
      select account.account_id, ${webhookId}, r.sequence, r.type, r.subject, r."contactId", r."eventAt", r.status,
        r.attempt, r."httpStatus", r.ms, r.error,
        case when r."contactId" is null or exists (
          select from contacts where contacts.account_id = ${accountId} and contacts.id = r."contactId"
        ) then r."responseStart" end,
        r.at, r."nextAttemptAt"
      from accounts account
      cross join json_to_recordset(${JSON.stringify(deliveries)}::json)
        as r(sequence bigint, type text, subject uuid, "contactId" uuid, "eventAt" timestamptz, status text,
          attempt integer, "httpStatus" integer, ms integer, error text, "responseStart" text, at timestamptz,
          "nextAttemptAt" timestamptz)
      where account.account_id = ${accountId}
      order by r.sequence
      on conflict (account_id, webhook_id, sequence) do update set status = excluded.status, attempt = excluded.attempt,
        http_status = excluded.http_status, ms = excluded.ms, error = excluded.error,
        response_start = excluded.response_start, at = excluded.at, next_attempt_at = excluded.next_attempt_at
        where excluded.status = 'delivered'
          or webhook_deliveries.status = 'pending' and webhook_deliveries.attempt >= excluded.attempt - 1
      returning sequence::float8 as sequence`,
  );
  return new Set(rows.map(({ sequence }) => sequence));
}

/** Marks deliveries as failed whose events were deleted for their age. */
export async function failLost(
  tx: Queryable,
  { accountId, webhookId }: Lease,
  sequences: number[],
): Promise<void> {
  if (sequences.length === 0) return;
  await query(
    tx,
    'webhook_deliveries_lost',
    sql`update webhook_deliveries
      set status = 'failed', next_attempt_at = null, error = 'the event is no longer kept'
      where account_id = ${accountId} and webhook_id = ${webhookId} and sequence = any(${sequences}::bigint[])`,
  );
}

/** Counts the events that have failed since a time and wait for a retry, up to a limit. */
export async function countFailedEvents(
  tx: Queryable,
  { accountId, webhookId }: Lease,
  since: Date,
  limit: number,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'webhook_failed_events_count',
    sql`select count(*)::int as count from (
        select from webhook_deliveries
        where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'pending' and attempt > 0
          and at >= ${since}
        limit ${limit}
      ) failed`,
  );
  return row?.count ?? 0;
}

/** Ends a turn: stores the cursor and the health of the endpoint, and releases the lease. */
export async function endTurn(
  tx: Queryable,
  { accountId, webhookId }: Lease,
  {
    cursor,
    health,
    now,
    hasNewStatus,
  }: {
    cursor: number;
    health: Health;
    now: Date;
    hasNewStatus: boolean;
  },
): Promise<void> {
  await query(
    tx,
    'webhook_turn_end',
    sql`update webhooks set cursor = greatest(cursor, ${cursor}), last_success_at = ${health.lastSuccessAt},
        failing_since = ${health.failingSince}, failures = ${health.failures}, step = ${health.step},
        paused_until = ${health.pausedUntil}, disabled_reason = ${health.disabledReason},
        version = version + ${hasNewStatus ? 1 : 0}, lease = null, lease_until = ${now},
        due_at = (
          select min(next_attempt_at) from webhook_deliveries
          where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'pending'
        )
      where account_id = ${accountId} and id = ${webhookId}`,
  );
}
