import { createPollRequests, type Polled } from './poll-requests.ts';

/** A job belongs to an account. */
interface AccountJob {
  accountId: string;
}

interface WorkerOptions<Job extends AccountJob> {
  /** How many jobs run at once. */
  slots: number;
  /** How often the worker polls for jobs of other processes. It polls less often when polls take long. */
  everyMs: number;
  /** Takes the next job of these accounts for this process; undefined when there is none. */
  claim: (accountIds: Polled) => Promise<Job | undefined>;
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
  const requests = createPollRequests();
  let polling: Promise<void> | undefined;
  let intervalTimer: NodeJS.Timeout | undefined;
  let backOffTimer: NodeJS.Timeout | undefined;
  /** The duration of the last poll of all accounts that found no job. */
  let emptyPollMs = 0;
  /** The time from which a wake-up may poll, by `performance.now()`. */
  let nextPollAt = 0;

  /** Polls at intervals. */
  function schedule(): void {
    const waitMs = Math.max(everyMs, Math.min(emptyPollMs * WAIT_PER_POLL, WAIT_MAX_MS));
    intervalTimer = setTimeout(() => {
      wake();
      schedule();
    }, waitMs).unref();
  }

  function wake(accountId?: string): void {
    requests.add(accountId === undefined ? null : [accountId]);
    pollSoon();
  }

  const shouldPoll = (): boolean => !requests.isEmpty() && running.size < slots && !signal.aborted;

  function pollSoon(): void {
    if (polling !== undefined || !shouldPoll()) return;
    clearTimeout(backOffTimer);
    const waitMs = nextPollAt - performance.now();
    if (waitMs > 0) {
      backOffTimer = setTimeout(pollSoon, waitMs).unref();
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

  /** Takes jobs until a poll finds none. */
  async function takeJobs(): Promise<void> {
    while (shouldPoll()) {
      const polled = requests.take();
      const startedAt = performance.now();
      const job = await claim(polled).catch((error: unknown) => {
        requests.addEach(polled);
        throw error;
      });
      if (job === undefined) return backOff(polled, startedAt);
      // The same accounts may have more jobs.
      requests.add(polled);
      startJob(job);
    }
  }

  /** Delays the next polls by the duration of one that found no job. */
  function backOff(polled: Polled, startedAt: number): void {
    const endedAt = performance.now();
    const tookMs = endedAt - startedAt;
    if (polled === null) emptyPollMs = tookMs;
    nextPollAt = endedAt + Math.min(tookMs * WOKEN_WAIT_PER_POLL, WOKEN_WAIT_MAX_MS);
  }

  function startJob(job: Job): void {
    const ended = runJob(job).finally(() => {
      // With all slots in use, the jobs of other accounts may have waited for this slot.
      const accountId = running.size < slots ? job.accountId : undefined;
      running.delete(ended);
      nextPollAt = 0;
      wake(accountId);
    });
    running.add(ended);
  }

  async function runJob(job: Job): Promise<void> {
    try {
      await run(job, signal);
    } catch (error) {
      onError(error);
    }
  }

  return {
    start() {
      schedule();
      wake();
    },
    wake,
    async stop() {
      stopping.abort();
      clearTimeout(intervalTimer);
      clearTimeout(backOffTimer);
      await polling;
      await Promise.all(running);
    },
  };
}
