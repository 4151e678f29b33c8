import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { KEPT_MS } from '../idempotency/once.ts';
import { firstIdAt, ID_SLACK_MS } from './ids.ts';

interface Sweep {
  /** After how many days a record of an import is deleted. */
  logDays: number;
  now: Date;
  /** Aborted to end after the statement under way. */
  signal?: AbortSignal;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes, of every account, the records of imports that are older than that many days and the idempotency keys
 * that are past. In small steps, each a transaction of its own that waits for nobody: imports go on meanwhile, and
 * several servers can sweep at once.
 */
export async function sweep(db: Queryable, { logDays, now, signal }: Sweep): Promise<void> {
  const recordsBefore = new Date(now.getTime() - logDays * DAY_MS);
  const keysBefore = new Date(now.getTime() - KEPT_MS);
  for (const accountId of await accountIds(db)) {
    await inSteps((after) => recordsDelete(db, accountId, recordsBefore, after), NO_ID, signal);
    await inSteps((after) => keysDelete(db, accountId, keysBefore, after), NEVER, signal);
  }
}

const NO_ID = firstIdAt(0);
const NEVER = new Date(0);
/** As many as a statement deletes at the most; it is in their texts as well. */
const STEP_MAX = 500;

/**
 * Repeats a step until it finds less than it could take. Each goes on where the last one ended, since PostgreSQL
 * still comes by what was deleted as long as anyone may see it.
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

// The log refers to nothing, so what it has of an account that was deleted is left to the sweep: its accounts are
// found from one to the next in the primary key, not by reading all of it.
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
