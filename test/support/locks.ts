import { runInTransaction, type Pool, type Queryable } from '../../src/platform/database/index.ts';
import { isCitus } from './databases.ts';
import { until } from './until.ts';

/** Runs `work` while no other connection can use these tables. */
export async function whileLocked(
  db: Pool,
  tables: string,
  work: () => Promise<void>,
): Promise<void> {
  const blocker = await db.connect();
  try {
    await blocker.query(`begin; lock table ${tables} in access exclusive mode`);
    await work();
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
}

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
/**
 * A connection to the coordinator may wait there, or for a worker in which it waits for a lock of a shard, or be in both lists. Citus
 * writes its process id into the last ten digits of a number.
 */
const WAITING_ON_CITUS = `${WAITING.replace('select from', 'select pid from')} union
  select waiting_gpid % 10000000000 from citus_lock_waits`;

/**
 * Ends the connections that wait for a lock. On a Citus these are connections to the coordinator, which a number of all servers
 * names.
 */
export async function endWaiting(db: Pool): Promise<void> {
  const text = isCitus()
    ? 'select pg_terminate_backend(gpid) from (select distinct waiting_gpid as gpid from citus_lock_waits) waiting'
    : WAITING.replace('select from', 'select pg_terminate_backend(pid) from');
  await db.query({ name: '', text, values: [] });
}

/** Counts the connections that wait for a lock. */
export async function waitingForLocks(db: Pool): Promise<number> {
  const text = isCitus() ? WAITING_ON_CITUS : WAITING;
  const { rows } = await db.query({ name: '', text, values: [] });
  return rows.length;
}

/** Waits until at least `count` connections wait for a lock. */
export function someoneWaits(db: Pool, count = 1): Promise<void> {
  return until(async () => (await waitingForLocks(db)) >= count);
}

/** Waits until a connection waits for a lock in a statement that has this text. */
export async function statementWaits(db: Pool, part: string): Promise<void> {
  const text = isCitus()
    ? 'select from citus_lock_waits where position($1 in blocked_statement) > 0'
    : `${WAITING} and position($1 in query) > 0`;
  await until(async () => (await db.query({ name: '', text, values: [part] })).rows.length > 0);
}

const LOCK_EMAILS = `insert into email_locks (account_id, email_sha256)
  select $1, sha256(convert_to(key, 'UTF8')) from unnest($2::text[]) as key order by key
  on conflict (account_id, email_sha256) do update set email_sha256 = excluded.email_sha256 where false`;

/** Locks emails of an account until the transaction ends, as every writer of contacts does before it reads them. */
export async function lockEmails(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
): Promise<void> {
  await tx.query({ name: '', text: LOCK_EMAILS, values: [accountId, emailKeys] });
}

/** Runs `work` while another transaction holds the locks of these emails. */
export function whileEmailsLocked<T>(
  db: Pool,
  accountId: string,
  emailKeys: string[],
  work: (holder: Queryable) => Promise<T>,
): Promise<T> {
  return runInTransaction(db, async (holder) => {
    await lockEmails(holder, accountId, emailKeys);
    return work(holder);
  });
}
