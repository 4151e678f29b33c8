import type { Pool } from '../src/database/pool.ts';

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
