import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

/** Lists the ids of all accounts, since each statement of a sweep is for one account. */
export async function listAccountIds(db: Queryable): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'sweep_accounts',
    sql`select account_id as id from account_slugs`,
  );
  return rows.map(({ id }) => id);
}

/** The row of the whole sweep: it once swept only the import log. */
const NAME = 'imports';

/** A wait after a jump of the clock: how long the sweeps have waited, and when one last checked the clock. */
export interface Wait {
  waitedMs: number;
  checkedAt: Date;
}

/** The last sweep. `wait` is null unless the sweeps wait because the clock has jumped. */
export interface LastSweep {
  sweptAt: Date;
  wait: Wait | null;
}

/** Finds the last sweep, and locks its row: another server must not sweep before this one has decided by what it read. */
export async function lockLastSweep(db: Queryable): Promise<LastSweep | undefined> {
  const [row] = await query<{ sweptAt: Date; waitedMs: number | null; checkedAt: Date | null }>(
    db,
    'sweep_lock',
    sql`select swept_at as "sweptAt", waited_ms as "waitedMs", clock_checked_at as "checkedAt"
      from sweeps where name = ${NAME} for update`,
  );
  if (row === undefined) return undefined;
  const { sweptAt, waitedMs, checkedAt } = row;
  const isWaiting = waitedMs !== null && checkedAt !== null;
  return { sweptAt, wait: isWaiting ? { waitedMs, checkedAt } : null };
}

/** Stores the time of the first sweep, unless another server has stored one. */
export async function storeFirstSweep(db: Queryable, sweptAt: Date): Promise<void> {
  await query(
    db,
    'sweep_insert',
    sql`insert into sweeps (name, swept_at) values (${NAME}, ${sweptAt}) on conflict (name) do nothing`,
  );
}

/** Stores the time of a sweep, and ends the wait if there is one. */
export async function storeSweep(db: Queryable, sweptAt: Date): Promise<void> {
  await query(
    db,
    'sweep_update',
    sql`update sweeps set swept_at = ${sweptAt}, waited_ms = null, clock_checked_at = null
      where name = ${NAME}`,
  );
}

/** Stores how long a jump of the clock has held the sweeps back. */
export async function storeWait(db: Queryable, { waitedMs, checkedAt }: Wait): Promise<void> {
  await query(
    db,
    'sweep_wait',
    sql`update sweeps set waited_ms = ${waitedMs}, clock_checked_at = ${checkedAt} where name = ${NAME}`,
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
