import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { ANSWER_LIFETIME_MS } from '../idempotency/run-once.ts';
import { firstIdAt, ID_SLACK_MS } from './record.ts';

interface Sweep {
  /** The number of days after which a record is deleted. */
  logDays: number;
  now: Date;
  /** When it aborts, the sweep ends after the statement under way. */
  signal?: AbortSignal;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes old records of imports and expired idempotency keys of all accounts. Each step is a small transaction that skips
 * locked rows, so that imports go on and several servers can sweep at once.
 */
export async function sweep(db: Queryable, { logDays, now, signal }: Sweep): Promise<void> {
  const recordsBefore = new Date(now.getTime() - logDays * DAY_MS);
  const keysBefore = new Date(now.getTime() - ANSWER_LIFETIME_MS);
  for (const accountId of await accountIds(db)) {
    await inSteps((after) => recordsDelete(db, accountId, recordsBefore, after), NO_ID, signal);
    await inSteps((after) => keysDelete(db, accountId, keysBefore, after), NEVER, signal);
  }
}

const NO_ID = firstIdAt(0);
const NEVER = new Date(0);
/** The largest number of rows that a statement deletes; the statements repeat it. */
const STEP_MAX = 500;

/**
 * Repeats a step until it deletes less than it could. A step starts after the last deleted row, since PostgreSQL scans
 * deleted rows as long as another transaction may see them.
 */
async function inSteps<T extends string | Date>(
  step: (after: T) => Promise<T[]>,
  first: T,
  signal: AbortSignal | undefined,
): Promise<void> {
  let after = first;
  for (;;) {
    if (signal?.aborted) return;
    const deleted = await step(after);
    if (deleted.length < STEP_MAX) return;
    after = deleted.reduce((last, each) => (each > last ? each : last));
  }
}

// The log has no foreign keys, so the sweep deletes the records of deleted accounts, too. It finds their accounts by one
// look-up each in the primary key, without reading the whole log.
async function accountIds(db: Queryable): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'sweep_accounts',
    sql`with recursive logged as (
        (select account_id as id from imports order by account_id limit 1)
        union all
        select (
          select account_id from imports where account_id > logged.id order by account_id limit 1
        ) from logged where logged.id is not null
      )
      select account_id as id from accounts union select id from logged where id is not null`,
  );
  return rows.map(({ id }) => id);
}

async function recordsDelete(
  db: Queryable,
  accountId: string,
  before: Date,
  after: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'sweep_imports',
    sql`with old as materialized (
        select id from imports
        where account_id = ${accountId} and id > ${after}
          and id < ${firstIdAt(before.getTime() + ID_SLACK_MS)} and received_at < ${before}
        order by id limit 500 for update skip locked
      )
      delete from imports where account_id = ${accountId} and id = any(array(select id from old))
      returning id`,
  );
  return rows.map(({ id }) => id);
}

async function keysDelete(
  db: Queryable,
  accountId: string,
  before: Date,
  after: Date,
): Promise<Date[]> {
  const rows = await query<{ claimedAt: Date }>(
    db,
    'sweep_idempotency_keys',
    sql`with old as materialized (
        select api_key_id, key from idempotency_keys
        where account_id = ${accountId} and claimed_at >= ${after} and claimed_at < ${before}
        order by claimed_at limit 500 for update skip locked
      )
      delete from idempotency_keys using old
      where idempotency_keys.account_id = ${accountId}
        and idempotency_keys.api_key_id = old.api_key_id and idempotency_keys.key = old.key
      returning idempotency_keys.claimed_at as "claimedAt"`,
  );
  return rows.map(({ claimedAt }) => claimedAt);
}
