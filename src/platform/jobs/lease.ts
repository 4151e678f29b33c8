import { isUnavailable } from '../database/index.ts';

interface LeaseOptions {
  /** How long a lease lasts after it was taken or renewed. */
  leaseMs: number;
  /** Renews the lease until this time. Returns false when it is lost: another process has the job. */
  renew: (until: Date) => Promise<boolean>;
  onError: (error: unknown) => void;
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
