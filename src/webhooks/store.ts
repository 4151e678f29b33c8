import sql, { raw } from 'sql-template-tag';
import { selectActorName } from '../access/index.ts';
import { query, queryOnce, type Queryable } from '../platform/database/index.ts';
import type { DisabledReason, WebhookSettings } from './rules.ts';

/** The settings of a webhook as they are stored: the headers are encrypted. */
type StoredSettings = Omit<WebhookSettings, 'headers'> & {
  headers: Buffer | null;
  headerNames: string[];
};

/** A webhook as it is stored. */
export interface StoredWebhook extends StoredSettings {
  id: string;
  version: number;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Date | null;
  createdAt: Date;
  creator: { type: 'user' | 'key' | 'system'; id: string | null };
  creatorName: string | null;
  disabledReason: DisabledReason | null;
  lastSuccessAt: Date | null;
  failingSince: Date | null;
  cursor: number;
  /** The number of the account's events after the cursor. */
  lag: number;
}

const COLUMNS = raw(`id, version, url, description, types,
  case when with_objects then array['object'] else array[]::text[] end as include,
  bulk, ordered, headers, header_names as "headerNames", cursor::float8 as cursor, secret, previous_secret as "previousSecret",
  previous_until as "previousUntil", created_at as "createdAt", disabled_reason as "disabledReason",
  last_success_at as "lastSuccessAt", failing_since as "failingSince"`);

const selectDetails = (accountId: string) => sql`${COLUMNS},
  json_build_object('type', created_by_type, 'id', created_by_id) as creator,
  ${selectActorName(accountId, sql`webhooks.created_by_id`)} as "creatorName",
  (select sequence - cursor from account_revisions
    where account_revisions.account_id = ${accountId})::int as lag`;

/** Lists all webhooks of an account, or those with these ids. */
export function listWebhooks(
  db: Queryable,
  accountId: string,
  ids: string[] | null = null,
): Promise<StoredWebhook[]> {
  return query<StoredWebhook>(
    db,
    'webhooks_list',
    sql`select ${selectDetails(accountId)} from webhooks
      where account_id = ${accountId} and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))`,
  );
}

export async function findWebhook(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredWebhook | undefined> {
  const [row] = await query<StoredWebhook>(
    db,
    'webhook_find',
    sql`select ${selectDetails(accountId)} from webhooks where account_id = ${accountId} and id = ${id}`,
  );
  return row;
}

/** Lists some webhooks of all accounts with their encrypted secrets. */
export function listSecrets(
  db: Queryable,
  limit: number | null,
): Promise<{ accountId: string; id: string; secret: Buffer }[]> {
  return queryOnce(
    db,
    'webhook_secrets_list',
    sql`select account_id as "accountId", id, secret from webhooks limit ${limit}`,
  );
}

/**
 * Locks a webhook until the transaction ends: a process that sends its events may store their outcomes. Returns false when there
 * is no such webhook.
 */
export async function lockWebhook(tx: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await query(
    tx,
    'webhook_lock',
    sql`select from webhooks where account_id = ${accountId} and id = ${id} for update`,
  );
  return rows.length > 0;
}

/** Inserts a webhook whose first event is the next one. The caller has raised the sequence of the account. */
export async function insertWebhook(
  tx: Queryable,
  accountId: string,
  webhook: StoredSettings & Pick<StoredWebhook, 'id' | 'secret' | 'createdAt' | 'creator'>,
): Promise<void> {
  await query(
    tx,
    'webhook_insert',
    sql`insert into webhooks (account_id, id, url, description, types, with_objects, bulk, ordered, headers, header_names,
        secret, created_at, created_by_type, created_by_id, cursor)
      select account.account_id, ${webhook.id}, ${webhook.url}, ${webhook.description}, ${webhook.types}::text[],
        ${webhook.include.length > 0}, ${webhook.bulk}, ${webhook.ordered}, ${webhook.headers},
        ${webhook.headerNames}::text[], ${webhook.secret}, ${webhook.createdAt}, ${webhook.creator.type},
        ${webhook.creator.id}, account.sequence
      from account_revisions account where account.account_id = ${accountId}`,
  );
}

/** Stores the settings of a webhook, and raises its version. */
export async function updateWebhook(
  tx: Queryable,
  accountId: string,
  id: string,
  settings: StoredSettings,
): Promise<void> {
  await query(
    tx,
    'webhook_update',
    sql`update webhooks set version = version + 1, url = ${settings.url}, description = ${settings.description},
        types = ${settings.types}::text[], with_objects = ${settings.include.length > 0}, bulk = ${settings.bulk},
        ordered = ${settings.ordered}, headers = ${settings.headers}, header_names = ${settings.headerNames}::text[]
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Turns a webhook off, or on again. Turning it on also resets its failures. */
export async function setDisabledReason(
  tx: Queryable,
  accountId: string,
  id: string,
  reason: DisabledReason | null,
): Promise<void> {
  await query(
    tx,
    'webhook_enable',
    sql`update webhooks set version = version + 1, disabled_reason = ${reason}, failing_since = null, failures = 0,
        step = 0, paused_until = null
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Lets a webhook skip to the next event. Its pending deliveries fail. */
export async function skipToHead(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'webhook_deliveries_skip',
    sql`update webhook_deliveries
      set status = 'failed', next_attempt_at = null, error = 'left out: the webhook went on with later events'
      where account_id = ${accountId} and webhook_id = ${id} and status = 'pending'`,
  );
  await query(
    tx,
    'webhook_skip',
    sql`update webhooks set due_at = null, paused_until = null,
        cursor = (select sequence from account_revisions where account_id = ${accountId})
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Gives a webhook a new secret. The former one also signs, until the given time. */
export async function replaceSecret(
  tx: Queryable,
  accountId: string,
  id: string,
  secret: Buffer,
  previousUntil: Date,
): Promise<void> {
  await query(
    tx,
    'webhook_rotate',
    sql`update webhooks set version = version + 1, secret = ${secret}, previous_secret = secret,
        previous_until = ${previousUntil}
      where account_id = ${accountId} and id = ${id}`,
  );
}

export async function deleteWebhook(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'webhook_delete',
    sql`delete from webhooks where account_id = ${accountId} and id = ${id}`,
  );
}

/** Notes that an endpoint works, so that a failing webhook goes on at once. */
export async function markWorking(
  tx: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'webhook_mark_working',
    sql`update webhooks set last_success_at = ${now}, failing_since = null, failures = 0, step = 0, paused_until = null,
        version = version + case when failing_since is null then 0 else 1 end
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Ends the pause of a webhook, so that it retries its due deliveries at once. */
export async function endPause(
  tx: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'webhook_try_at_once',
    sql`update webhooks set due_at = ${now}, paused_until = null, step = 0
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Makes the pending deliveries of a webhook due, with as many retries ahead as at first. */
export async function retryPending(
  tx: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'webhook_deliveries_retry_pending',
    sql`update webhook_deliveries set attempt = 0, next_attempt_at = ${now}
      where account_id = ${accountId} and webhook_id = ${id} and status = 'pending'`,
  );
}

/**
 * Keeps the outcomes of requests to endpoints from being stored until the transaction ends. Call it before the revision is raised:
 * a turn that disables its webhook takes these two locks in the same order.
 */
export async function lockOutcomes(tx: Queryable, accountId: string): Promise<void> {
  await query(
    tx,
    'webhooks_lock_outcomes',
    sql`select from webhooks where account_id = ${accountId} order by id for key share`,
  );
}

/** Empties the answers of endpoints to events of contacts, since they may contain personal data. */
export async function eraseResponses(
  tx: Queryable,
  accountId: string,
  contactIds: string[],
): Promise<void> {
  await query(
    tx,
    'webhook_responses_erase',
    sql`update webhook_deliveries set response_start = null
      where account_id = ${accountId} and contact_id = any(${contactIds}::uuid[]) and response_start is not null`,
  );
}

/**
 * Deletes up to 500 deliveries whose last attempt was before a time, except pending ones. Returns whether there may be more.
 */
export async function deleteOldDeliveries(
  db: Queryable,
  accountId: string,
  before: Date,
): Promise<boolean> {
  const deleted = await query(
    db,
    'sweep_webhook_deliveries',
    sql`with old as materialized (
        select webhook_id, sequence from webhook_deliveries
        where account_id = ${accountId} and at < ${before} and status <> 'pending'
        order by at limit 500 for update skip locked
      )
      delete from webhook_deliveries using old
      where webhook_deliveries.account_id = ${accountId}
        and webhook_deliveries.webhook_id = old.webhook_id and webhook_deliveries.sequence = old.sequence
      returning true`,
  );
  return deleted.length === 500;
}
