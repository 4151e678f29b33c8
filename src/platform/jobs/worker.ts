/** A job belongs to an account. */
interface AccountJob {
  accountId: string;
}

interface WorkerOptions<Job extends AccountJob> {
  /** How many jobs run at once. */
  slots: number;
  /** How often the worker looks for jobs of other processes. It looks less often when looks take long. */
  everyMs: number;
  /** Takes the next job of these accounts for this process, or of any account for null; undefined when there is none. */
  claim: (accountIds: string[] | null) => Promise<Job | undefined>;
  /** Runs a job. The signal aborts when the worker stops. */
  run: (job: Job, stopping: AbortSignal) => Promise<void>;
  /** Receives the error of a look for jobs, or of a job. */
  onError: (error: unknown) => void;
}

/**
 * After a look that found nothing, wait this many times its duration. A look asks for the jobs of all accounts, and must not load
 * a slow database: a Citus plans it anew for each shard.
 */
const WAIT_PER_LOOK = 50;
const WAIT_MAX_MS = 5_000;
/** The same before a wake-up looks again. */
const WOKEN_WAIT_PER_LOOK = 10;
/** The longest back-off after a wake-up. It is short, since most wake-ups mean that a job was queued. */
const WOKEN_WAIT_MAX_MS = 200;

/** Runs jobs of a queue in the database. */
export interface Worker {
  /** Looks for jobs at once, and then at intervals. */
  start: () => void;
  /** Looks for jobs of an account, or of all, as soon as possible, because one was queued. */
  wake: (accountId?: string) => void;
  /** Takes no more jobs, and waits until those that run have ended. */
  stop: () => Promise<void>;
}

/** Creates a worker. Its timer does not keep the process alive. */
export function createWorker<Job extends AccountJob>({
  slots,
  everyMs,
  claim,
  run,
  onError,
}: WorkerOptions<Job>): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isWoken = false;
  /** The accounts whose jobs the next look wants; null for all. A look for one account asks one shard of a Citus. */
  let wanted: Set<string> | null = new Set();
  /** The duration of the last look at all accounts that found nothing. */
  let lookMs = 0;
  /** The time from which a wake-up may look again, by `performance.now()`. */
  let lookAgainAt = 0;
  let wakeTimer: NodeJS.Timeout | undefined;

  /** Looks after the interval, again and again. */
  function schedule(): void {
    timer = setTimeout(
      () => {
        wake();
        schedule();
      },
      Math.max(everyMs, Math.min(lookMs * WAIT_PER_LOOK, WAIT_MAX_MS)),
    ).unref();
  }

  async function runJob(job: Job): Promise<void> {
    try {
      await run(job, signal);
    } catch (error) {
      onError(error);
    }
  }

  /** Takes jobs while there are jobs and free slots. */
  async function takeJobs(): Promise<void> {
    isWoken = false;
    while (running.size < slots && !signal.aborted) {
      isWoken = false;
      const startedAt = performance.now();
      const looked = wanted;
      wanted = new Set();
      const job = await claim(looked && [...looked]);
      if (job === undefined) {
        const endedAt = performance.now();
        const tookMs = endedAt - startedAt;
        if (looked === null) lookMs = tookMs;
        lookAgainAt = endedAt + Math.min(tookMs * WOKEN_WAIT_PER_LOOK, WOKEN_WAIT_MAX_MS);
        return;
      }
      // There may be more where this one was.
      wanted = wanted && looked && wanted.union(looked);
      const ended = runJob(job).finally(() => {
        // With all slots in use, the jobs of other accounts may have waited for this slot.
        const accountId = running.size < slots ? job.accountId : undefined;
        running.delete(ended);
        lookAgainAt = 0;
        wake(accountId);
      });
      running.add(ended);
    }
  }

  function wake(accountId?: string): void {
    if (accountId === undefined) wanted = null;
    else wanted?.add(accountId);
    lookSoon();
  }

  function lookSoon(): void {
    isWoken = true;
    if (signal.aborted || looking !== undefined) return;
    clearTimeout(wakeTimer);
    const waitMs = lookAgainAt - performance.now();
    if (waitMs > 0) {
      wakeTimer = setTimeout(lookSoon, waitMs).unref();
      return;
    }
    looking = takeJobs()
      .catch(onError)
      .finally(() => {
        looking = undefined;
        // A job that was queued during the look may have been missed.
        if (isWoken) lookSoon();
      });
  }

  return {
    start() {
      schedule();
      wake();
    },
    wake,
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      clearTimeout(wakeTimer);
      await looking;
      await Promise.all(running);
    },
  };
}
