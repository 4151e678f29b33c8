import type { Pool } from '../../platform/database/index.ts';
import { runWithLease } from '../../platform/jobs/index.ts';
import type { StoredFile } from './rules.ts';
import { renewLease, type Lease } from './lease-store.ts';

/** A lease that is renewed while a job runs. */
export interface ActiveLease extends Lease {
  /** Aborts when the job must stop: a person stops it, the process stops, or the lease is lost. */
  signal: AbortSignal;
  /** Whether a person has stopped the run. */
  isStopped: () => boolean;
  /** Returns when the lease expires if it is renewed now. */
  until: () => Date;
  /** Receives the stored status of the file. When it says that a person stops the run, `signal` aborts. */
  noteStatus: (status: StoredFile['status']) => void;
}

interface LeaseOptions {
  leaseMs: number;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
  onError: (error: unknown) => void;
}

/** Renews the lease of a file while `work` runs. */
export async function runWithFileLease(
  db: Pool,
  lease: Lease,
  { leaseMs, stopping, onError }: LeaseOptions,
  work: (lease: ActiveLease) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  let isStopped = false;

  function noteStatus(status: StoredFile['status']): void {
    if (status !== 'stopping') return;
    isStopped = true;
    ending.abort();
  }

  async function renew(until: Date): Promise<boolean> {
    const status = await renewLease(db, lease, until);
    if (status !== undefined) noteStatus(status);
    return status !== undefined;
  }

  const until = () => new Date(Date.now() + leaseMs);
  await runWithLease({ leaseMs, renew, onError }, (lost) => {
    const signal = AbortSignal.any([ending.signal, lost, stopping]);
    return work({ ...lease, signal, isStopped: () => isStopped, until, noteStatus });
  });
}
