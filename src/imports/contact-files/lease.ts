import { isUnavailable, type Pool } from '../../platform/database/index.ts';
import type { StoredFile } from './rules.ts';
import { type Lease, LeaseLostError, renewLease } from './lease-store.ts';

/** A lease that is renewed while a job runs. */
export interface HeldLease extends Lease {
  /** Aborts when the job must stop: somebody stops it, the process stops, or the lease is lost. */
  signal: AbortSignal;
  /** Whether somebody has stopped the run. */
  isStopped: () => boolean;
  /** When the lease expires, if it is renewed now. */
  until: () => Date;
  /** Takes note of the status that the file has now. */
  note: (status: StoredFile['status']) => void;
}

interface HoldOptions {
  leaseMs: number;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
  onError: (error: unknown) => void;
}

/** Renews a lease while `work` runs. */
export async function holdLease(
  db: Pool,
  lease: Lease,
  { leaseMs, stopping, onError }: HoldOptions,
  work: (held: HeldLease) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  let isStopped = false;
  const until = () => new Date(Date.now() + leaseMs);

  async function renew(): Promise<void> {
    try {
      note(await renewLease(db, lease, until()));
    } catch (error) {
      if (error instanceof LeaseLostError) controller.abort();
      // While the database is unavailable the lease may expire. PostgreSQL refuses then to store more of the job.
      else if (!isUnavailable(error)) onError(error);
    }
  }

  function note(status: StoredFile['status']): void {
    if (status !== 'stopping') return;
    isStopped = true;
    controller.abort();
  }

  const timer = setInterval(() => void renew(), leaseMs / 3).unref();
  try {
    const signal = AbortSignal.any([controller.signal, stopping]);
    await work({ ...lease, signal, isStopped: () => isStopped, until, note });
  } finally {
    clearInterval(timer);
  }
}
