import type { Pool } from '../src/platform/database/index.ts';
import { until } from './until.ts';

/** Does something while nobody else can use these tables. */
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

/** How many connections to the database wait for a lock. */
export async function waitingForLocks(db: Pool): Promise<number> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const { rows } = await db.query({ name: '', text, values: [] });
  return rows.length;
}

/** Waits until so many do, or more. */
export function someoneWaits(db: Pool, count = 1): Promise<void> {
  return until(async () => (await waitingForLocks(db)) >= count);
}
