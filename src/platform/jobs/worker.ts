interface WorkerOptions<Job> {
  /** How many jobs run at once. */
  slots: number;
  /** How long the worker waits between two looks for jobs of other processes; longer while looks take long. */
  everyMs: number;
  /** Takes a job that no other process takes; undefined when there is none. */
  claim: () => Promise<Job | undefined>;
  /** Runs a job. The signal aborts when the worker stops. */
  run: (job: Job, stopping: AbortSignal) => Promise<void>;
  /** Gets the error of a look for jobs, or of a job. */
  onError: (error: unknown) => void;
}

/**
 * After a look that found nothing, wait this many times its duration. A look asks for the jobs of all accounts, and must not load
 * a slow database.
 */
const WAIT_PER_LOOK = 10;
const WAIT_MAX_MS = 5_000;
/** The longest back-off after a wake-up. It is short, since most wake-ups mean that a job was queued. */
const WOKEN_WAIT_MAX_MS = 200;

/** Runs jobs of a queue in the database. */
export interface Worker {
  /** Looks for jobs at once, and from now on every so often. */
  start: () => void;
  /** Looks for jobs as soon as possible: one was queued. */
  wake: () => void;
  /** Takes no further jobs, and waits for the end of those that run. */
  stop: () => Promise<void>;
}

/** Creates a worker. Its timer does not keep the process alive. */
export function createWorker<Job>({
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
  /** How long the last look took that found nothing. */
  let lookMs = 0;
  /** When a wake-up may look again, by `performance.now()`. */
  let lookAgainAt = 0;
  let wakeTimer: NodeJS.Timeout | undefined;

  /** Looks after a while, and so on. */
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

  /** Takes jobs while there are some, and slots for them. */
  async function takeJobs(): Promise<void> {
    isWoken = false;
    while (running.size < slots && !signal.aborted) {
      isWoken = false;
      const startedAt = performance.now();
      const job = await claim();
      if (job === undefined) {
        const endedAt = performance.now();
        lookMs = endedAt - startedAt;
        lookAgainAt = endedAt + Math.min(lookMs * WAIT_PER_LOOK, WOKEN_WAIT_MAX_MS);
        return;
      }
      const ended = runJob(job).finally(() => {
        running.delete(ended);
        lookAgainAt = 0;
        wake();
      });
      running.add(ended);
    }
  }

  function wake(): void {
    isWoken = true;
    if (signal.aborted || looking !== undefined) return;
    clearTimeout(wakeTimer);
    const waitMs = lookAgainAt - performance.now();
    if (waitMs > 0) {
      wakeTimer = setTimeout(wake, waitMs).unref();
      return;
    }
    looking = takeJobs()
      .catch(onError)
      .finally(() => {
        looking = undefined;
        // A job that was queued during the look may have been missed.
        if (isWoken) wake();
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
