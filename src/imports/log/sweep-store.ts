import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { makeFirstId } from '../../platform/text/index.ts';
import { ID_SLACK_MS } from './record.ts';

/** The most rows that a statement deletes. The statements contain the same number. */
export const STEP_MAX = 500;

/** Lists the ids of all accounts, since each statement of a sweep is for one account. */
export async function listAccountIds(db: Queryable): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'sweep_accounts',
    sql`select account_id as id from account_slugs`,
  );
  return rows.map(({ id }) => id);
}

const NAME = 'imports';

export async function findLastSweep(db: Queryable): Promise<Date | undefined> {
  const [row] = await query<{ sweptAt: Date }>(
    db,
    'sweep_find',
    sql`select swept_at as "sweptAt" from sweeps where name = ${NAME}`,
  );
  return row?.sweptAt;
}

/** Stores the time of the first sweep, unless another server has stored one. */
export async function storeFirstSweep(db: Queryable, sweptAt: Date): Promise<void> {
  await query(
    db,
    'sweep_insert',
    sql`insert into sweeps (name, swept_at) values (${NAME}, ${sweptAt}) on conflict (name) do nothing`,
  );
}

export async function storeSweep(db: Queryable, sweptAt: Date): Promise<void> {
  await query(
    db,
    'sweep_update',
    sql`update sweeps set swept_at = ${sweptAt} where name = ${NAME}`,
  );
}

/** Finds the time of an account's newest import or idempotency key from before a time. */
export async function findNewestRow(
  db: Queryable,
  accountId: string,
  before: Date,
): Promise<Date | null> {
  const [row] = await query<{ newestAt: Date | null }>(
    db,
    'sweep_newest_row',
    sql`select greatest(
        (select received_at from imports where account_id = ${accountId} and received_at < ${before}
          order by id desc limit 1),
        (select claimed_at from idempotency_keys where account_id = ${accountId} and claimed_at < ${before}
          order by claimed_at desc limit 1)
      ) as "newestAt"`,
  );
  return row?.newestAt ?? null;
}

/** Deletes up to 500 records that were received before a time. */
export function deleteRecords(db: Queryable, accountId: string, before: Date): Promise<unknown[]> {
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

/** Deletes up to 500 idempotency keys that were claimed before a time. */
export function deleteKeys(db: Queryable, accountId: string, before: Date): Promise<unknown[]> {
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
