import sql, { type Sql } from 'sql-template-tag';
import { isUnavailable } from '../database/index.ts';

interface LeaseOptions {
  /** How long a lease lasts after it was taken or renewed. */
  leaseMs: number;
  /** Renews the lease until this time. Returns false when it is lost: another process has the job. */
  renew: (until: Date) => Promise<boolean>;
  onError: (error: unknown) => void;
}

/** More than the longest lease that OFFPLAN_JOB_LEASE allows. */
const LATEST_END_MS = 2 * 60 * 60 * 1000;

/**
 * The condition that no process has the lease of a row, whose columns are `lease` and `lease_until`. A lease that ends later than any
 * lease can was taken by a clock that was ahead, and does not count: if its process was killed, the job would wait until that
 * clock's time.
 */
export function hasNoLease(now: Date): Sql {
  const latestEnd = new Date(now.getTime() + LATEST_END_MS);
  return sql`(lease is null or lease_until not between ${now} and ${latestEnd})`;
}

/** Renews the lease of a job while `work` runs. The signal that `work` gets aborts when the lease is lost. */
export async function runWithLease(
  { leaseMs, renew, onError }: LeaseOptions,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();

  async function renewOnce(): Promise<void> {
    try {
      if (!(await renew(new Date(Date.now() + leaseMs)))) lost.abort();
    } catch (error) {
      // While the database is unavailable the lease may expire, and another process may take the job.
      if (!isUnavailable(error)) onError(error);
    }
  }

  const timer = setInterval(() => void renewOnce(), leaseMs / 3).unref();
  try {
    await work(lost.signal);
  } finally {
    clearInterval(timer);
  }
}
