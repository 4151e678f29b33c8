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
  /** Whether a look at all accounts is wanted. */
  let wantsAll = false;
  /**
   * The accounts that are looked at on their own, before all. Such a look asks one shard of a Citus, and works while another of
   * its workers does not.
   */
  const wanted = new Set<string>();
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

  const isLookWanted = (): boolean =>
    (wantsAll || wanted.size > 0) && running.size < slots && !signal.aborted;

  /** Takes jobs until a look finds none. */
  async function takeJobs(): Promise<void> {
    while (isLookWanted()) {
      const startedAt = performance.now();
      const looked = wanted.size > 0 ? [...wanted] : null;
      if (looked === null) wantsAll = false;
      wanted.clear();
      const job = await claim(looked);
      if (job === undefined) {
        const endedAt = performance.now();
        const tookMs = endedAt - startedAt;
        if (looked === null) lookMs = tookMs;
        lookAgainAt = endedAt + Math.min(tookMs * WOKEN_WAIT_PER_LOOK, WOKEN_WAIT_MAX_MS);
        return;
      }
      // There may be more where this one was.
      if (looked === null) wantsAll = true;
      else for (const accountId of looked) wanted.add(accountId);
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
    if (accountId === undefined) wantsAll = true;
    else wanted.add(accountId);
    lookSoon();
  }

  function lookSoon(): void {
    if (looking !== undefined || !isLookWanted()) return;
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
        lookSoon();
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
