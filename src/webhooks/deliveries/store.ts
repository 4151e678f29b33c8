import sql from 'sql-template-tag';
import { isNotCausedBy, readEventId } from '../../events/index.ts';
import { joinFilter, query, type Queryable } from '../../platform/database/index.ts';
import { countRows, type ListQuery } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import type { Delivery, DeliveryFilter } from './schemas.ts';

/** A delivery as it is stored. The driver reads a bigint as a text. */
export interface StoredDelivery extends Pick<
  Delivery,
  'type' | 'attempt' | 'status' | 'httpStatus' | 'ms' | 'error'
> {
  sequence: string;
  subject: string;
  eventAt: Date;
  at: Date;
  nextAttemptAt: Date | null;
  responseStart: string | null;
}

/** The webhook whose deliveries a request asks for. */
export interface WebhookOfAccount {
  accountId: string;
  webhookId: string;
}

/** Lists deliveries, those of the newest events first: one more than the limit, if there are as many. */
export async function listDeliveries(
  db: Queryable,
  { accountId, webhookId }: WebhookOfAccount,
  { filter, limit, after, isCounted }: ListQuery<DeliveryFilter>,
): Promise<{ rows: StoredDelivery[]; count?: number | undefined }> {
  const ofWebhook = [sql`account_id = ${accountId}`, sql`webhook_id = ${webhookId}`];
  const { where, suffix } = joinFilter(ofWebhook, listConditions(filter));
  const rows = await query<StoredDelivery>(
    db,
    `webhook_deliveries_list${suffix}`,
    sql`select sequence, subject, event_at as "eventAt", type, attempt, status, http_status as "httpStatus", ms, error, at,
        next_attempt_at as "nextAttemptAt", response_start as "responseStart"
      from webhook_deliveries
      where ${where} and sequence < ${after === null ? Number.MAX_SAFE_INTEGER : readEventId(after.id).sequence}
      order by sequence desc limit ${limit + 1}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from webhook_deliveries where ${where}`;
  return { rows, count: await countRows(db, `webhook_deliveries_count${suffix}`, matching) };
}

/** Makes the conditions of the filter, each with a name for the statement. */
function listConditions({ status, type, event }: DeliveryFilter) {
  const isOpen = status !== undefined && !status.includes('delivered');
  const sequence = event !== undefined && isUuid(event) ? readEventId(event).sequence : 0;
  return {
    status: status && sql`status = any(${status}::text[])`,
    open: isOpen && sql`status <> 'delivered'`,
    type: type && sql`type = any(${type}::text[])`,
    event: event !== undefined && sql`sequence = ${sequence}`,
  };
}

/** Makes a delivery due. Returns false when the webhook has no delivery of this event. */
export async function retryDelivery(
  tx: Queryable,
  { accountId, webhookId }: WebhookOfAccount,
  { sequence, eventAt, now }: { sequence: number; eventAt: Date; now: Date },
): Promise<boolean> {
  const rows = await query(
    tx,
    'webhook_delivery_retry',
    sql`update webhook_deliveries set status = 'pending', attempt = 0, next_attempt_at = ${now}
      where account_id = ${accountId} and webhook_id = ${webhookId} and sequence = ${sequence} and event_at = ${eventAt}
      returning true`,
  );
  return rows.length > 0;
}

/** The events to send again: those of these types, with numbers after `after` and up to `until`, that happened in this time. */
export interface ReplaySelection {
  after: number;
  until: number;
  types: string[];
  fromTime: Date | null;
  untilTime: Date | null;
  exceptRequests: string[];
  now: Date;
}

/** Makes the failed deliveries of a selection due. Returns their number. */
export async function replayFailed(
  tx: Queryable,
  { accountId, webhookId }: WebhookOfAccount,
  { after, until, types, fromTime, untilTime, now }: ReplaySelection,
): Promise<number> {
  const rows = await query(
    tx,
    'webhook_deliveries_replay_failed',
    sql`update webhook_deliveries set status = 'pending', attempt = 0, next_attempt_at = ${now}
      where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'failed'
        and sequence > ${after} and sequence <= ${until} and type = any(${types}::text[])
        and (${fromTime}::timestamptz is null or event_at >= ${fromTime})
        and (${untilTime}::timestamptz is null or event_at <= ${untilTime})
      returning true`,
  );
  return rows.length;
}

/** Makes a due delivery of each event of a selection. Returns their number. */
export async function replayAll(
  tx: Queryable,
  { accountId, webhookId }: WebhookOfAccount,
  { after, until, types, fromTime, untilTime, exceptRequests, now }: ReplaySelection,
): Promise<number> {
  const rows = await query(
    tx,
    'webhook_deliveries_replay',
    sql`insert into webhook_deliveries (account_id, webhook_id, sequence, type, subject, contact_id, event_at, status,
        attempt, at, next_attempt_at)
      select ${accountId}, ${webhookId}, sequence, type, subject,
        case when starts_with(type, 'contact.') then subject else (data ->> 'contactId')::uuid end,
        at, 'pending', 0, ${now}, ${now}
      from events
      where account_id = ${accountId} and sequence > ${after} and sequence <= ${until}
        and type = any(${types}::text[])
        and ${isNotCausedBy(exceptRequests)}
        and (${fromTime}::timestamptz is null or at >= ${fromTime})
        and (${untilTime}::timestamptz is null or at <= ${untilTime})
      order by sequence
      on conflict (account_id, webhook_id, sequence) do update
        set status = 'pending', attempt = 0, next_attempt_at = excluded.next_attempt_at
      returning true`,
  );
  return rows.length;
}
