/** A job belongs to an account. */
interface AccountJob {
  accountId: string;
}

interface WorkerOptions<Job extends AccountJob> {
  /** How many jobs run at once. */
  slots: number;
  /** How often the worker polls for jobs of other processes. It polls less often when polls take long. */
  everyMs: number;
  /** Takes the next job of these accounts for this process, or of any account for null; undefined when there is none. */
  claim: (accountIds: string[] | null) => Promise<Job | undefined>;
  /** Runs a job. The signal aborts when the worker stops. */
  run: (job: Job, stopping: AbortSignal) => Promise<void>;
  /** Receives the error of a poll, or of a job. */
  onError: (error: unknown) => void;
}

/**
 * After a poll of all accounts that found no job, the next one waits this many times its duration, so that polls do not load a
 * slow database: a Citus plans each poll anew for every shard.
 */
const WAIT_PER_POLL = 50;
const WAIT_MAX_MS = 5_000;
/** After any poll that found no job, a wake-up waits this many times its duration. */
const WOKEN_WAIT_PER_POLL = 10;
/** The longest back-off after a wake-up. It is short, since most wake-ups mean that a job was queued. */
const WOKEN_WAIT_MAX_MS = 200;

/** Runs jobs of a queue in the database. */
export interface Worker {
  /** Polls for jobs at once, and then at intervals. */
  start: () => void;
  /** Polls for jobs of an account, or of all, as soon as possible, because one was queued. */
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
  let polling: Promise<void> | undefined;
  /** Whether to poll all accounts. */
  let wantsAll = false;
  /**
   * The accounts to poll before all others. On a Citus, a poll of one account asks one shard, and succeeds while another worker
   * is down.
   */
  const wanted = new Set<string>();
  /** Whether to poll each account of `wanted` alone, since a poll of several failed and one of them may be the cause. */
  let pollsEach = false;
  /** The duration of the last poll of all accounts that found no job. */
  let pollMs = 0;
  /** The time from which a wake-up may poll, by `performance.now()`. */
  let nextPollAt = 0;
  let wakeTimer: NodeJS.Timeout | undefined;

  /** Polls at intervals. */
  function schedule(): void {
    timer = setTimeout(
      () => {
        wake();
        schedule();
      },
      Math.max(everyMs, Math.min(pollMs * WAIT_PER_POLL, WAIT_MAX_MS)),
    ).unref();
  }

  async function runJob(job: Job): Promise<void> {
    try {
      await run(job, signal);
    } catch (error) {
      onError(error);
    }
  }

  const shouldPoll = (): boolean =>
    (wantsAll || wanted.size > 0) && running.size < slots && !signal.aborted;

  /** Takes jobs until a poll finds none. */
  async function takeJobs(): Promise<void> {
    while (shouldPoll()) {
      const startedAt = performance.now();
      const polled = wanted.size > 0 ? [...wanted].slice(0, pollsEach ? 1 : undefined) : null;
      if (polled === null) wantsAll = false;
      else for (const accountId of polled) wanted.delete(accountId);
      if (wanted.size === 0) pollsEach = false;
      const job = await claim(polled).catch((error: unknown) => {
        if (polled !== null && polled.length > 1) {
          for (const accountId of polled) wanted.add(accountId);
          pollsEach = true;
        }
        throw error;
      });
      if (job === undefined) {
        const endedAt = performance.now();
        const tookMs = endedAt - startedAt;
        if (polled === null) pollMs = tookMs;
        nextPollAt = endedAt + Math.min(tookMs * WOKEN_WAIT_PER_POLL, WOKEN_WAIT_MAX_MS);
        return;
      }
      // The same accounts may have more jobs.
      if (polled === null) wantsAll = true;
      else for (const accountId of polled) wanted.add(accountId);
      const ended = runJob(job).finally(() => {
        // With all slots in use, the jobs of other accounts may have waited for this slot.
        const accountId = running.size < slots ? job.accountId : undefined;
        running.delete(ended);
        nextPollAt = 0;
        wake(accountId);
      });
      running.add(ended);
    }
  }

  function wake(accountId?: string): void {
    if (accountId === undefined) wantsAll = true;
    else wanted.add(accountId);
    pollSoon();
  }

  function pollSoon(): void {
    if (polling !== undefined || !shouldPoll()) return;
    clearTimeout(wakeTimer);
    const waitMs = nextPollAt - performance.now();
    if (waitMs > 0) {
      wakeTimer = setTimeout(pollSoon, waitMs).unref();
      return;
    }
    polling = takeJobs()
      .catch(onError)
      .finally(() => {
        polling = undefined;
        // The poll may have missed a job that was queued meanwhile.
        pollSoon();
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
      await polling;
      await Promise.all(running);
    },
  };
}
