import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { ANSWER_LIFETIME_MS } from '../idempotency/store.ts';
import { makeFirstId, ID_SLACK_MS } from './record.ts';

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The largest number of rows that a statement deletes; the statements repeat it. */
const STEP_MAX = 500;

interface SweeperOptions {
  /** The number of days after which a record is deleted. */
  logDays: number;
  /** Gets the error of a failed sweep; the next sweep runs all the same. */
  onError: (error: unknown) => void;
  firstAfterMs?: number;
  everyMs?: number;
}

/** Sweeps soon and then every hour, until `stop`. The timer does not keep the process alive. */
export function createSweeper(
  db: Queryable,
  { logDays, onError, firstAfterMs = FIRST_AFTER_MS, everyMs = EVERY_MS }: SweeperOptions,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false });

  async function run(): Promise<void> {
    await pause(firstAfterMs);
    for (;;) {
      await sweep(db, { logDays, now: new Date(), signal }).catch(onError);
      await pause(everyMs);
    }
  }

  // The aborted pause rejects, which ends the loop.
  const ended = run().catch(() => undefined);

  /** Stops the sweeper after the statement under way. */
  return async function stop(): Promise<void> {
    stopping.abort();
    await ended;
  };
}

interface Sweep {
  logDays: number;
  now: Date;
  /** When it aborts, the sweep ends after the statement under way. */
  signal?: AbortSignal;
}

/**
 * Deletes old records of imports and expired idempotency keys of all accounts. Each step is a small transaction that skips
 * locked rows, so that imports go on and several servers can sweep at once.
 */
export async function sweep(db: Queryable, { logDays, now, signal }: Sweep): Promise<void> {
  const recordsBefore = new Date(now.getTime() - logDays * DAY_MS);
  const keysBefore = new Date(now.getTime() - ANSWER_LIFETIME_MS);
  const accounts = await query<{ id: string }>(
    db,
    'sweep_accounts',
    sql`select account_id as id from accounts`,
  );
  for (const { id } of accounts) {
    await repeatStep(() => deleteRecords(db, id, recordsBefore), signal);
    await repeatStep(() => deleteKeys(db, id, keysBefore), signal);
  }
}

/** Repeats a step until it deletes fewer rows than it could. */
async function repeatStep(
  step: () => Promise<unknown[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    if (signal?.aborted) return;
    const deleted = await step();
    if (deleted.length < STEP_MAX) return;
  }
}

function deleteRecords(db: Queryable, accountId: string, before: Date): Promise<unknown[]> {
  return query(
    db,
    'sweep_imports',
    sql`with old as materialized (
        select id from imports
        where account_id = ${accountId} and id < ${makeFirstId(before.getTime() + ID_SLACK_MS)}
          and received_at < ${before}
        order by id limit 500 for update skip locked
      )
      delete from imports where account_id = ${accountId} and id = any(array(select id from old))
      returning true`,
  );
}

function deleteKeys(db: Queryable, accountId: string, before: Date): Promise<unknown[]> {
  return query(
    db,
    'sweep_idempotency_keys',
    sql`with old as materialized (
        select api_key_id, key from idempotency_keys
        where account_id = ${accountId} and claimed_at < ${before}
        order by claimed_at limit 500 for update skip locked
      )
      delete from idempotency_keys using old
      where idempotency_keys.account_id = ${accountId}
        and idempotency_keys.api_key_id = old.api_key_id and idempotency_keys.key = old.key
      returning true`,
  );
}
