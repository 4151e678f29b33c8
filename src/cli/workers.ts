import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/index.ts';
import { gauge, type Family, type Metrics } from '../platform/telemetry/index.ts';
import { CommandError } from './command.ts';

/** Before a worker is replaced, so that one that cannot start does not start all the time. */
const REPLACE_AFTER_MS = 1_000;
/** More than a worker needs that has to cut off what it is at, and before the first process ends by itself. */
const KILL_AFTER_MS = 8_500;

export interface Service {
  /** Answers what is under way and ends: after a while in which it takes more, or at once when it is to hurry. */
  close: (hurrying: AbortSignal) => Promise<void>;
}

interface Started {
  worker: Worker;
  /** Why it cannot listen; null once it listens. */
  fault: Promise<string | null>;
  ended: Promise<Ended>;
}

interface Ended {
  pid: number | undefined;
  code: number | null;
  signal: string | null;
}

/** How a worker listens: the kernel gives each new connection to one of those that share the port. */
export const SHARED_PORT = { reusePort: true, exclusive: true };

const LISTENS = 'listens';

/** How long the first process waits for the metrics of a worker. */
const SCRAPE_MS = 1_000;

/** A worker's answer to the scrape of this number. */
interface Scraped {
  scrape: number;
  families: Family[];
}

interface Workers extends Service {
  /** The metrics of each worker, by its number from 1. */
  scrape: () => Promise<Map<number, Family[]>>;
}

/**
 * Starts the workers, each `offplan serve` in a process of its own, on one port. Resolves when all of them listen; one
 * that ends from then on is replaced. (node:cluster would hand connections round evenly, but one that it hands to a
 * worker that dies just then is never answered and never closed.)
 */
export async function startWorkers(
  { host, port, workers }: Config,
  logger: Logger,
): Promise<Workers> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 12))
    throw new CommandError(
      `OFFPLAN_WORKERS above 1 needs Node.js 22.12 or later; this is ${process.versions.node}`,
    );
  cluster.setupPrimary({ args: ['serve', '--port', String(port), '--host', host] });
  const closing = new AbortController();
  const first = Array.from({ length: workers }, startWorker);
  const faults = await Promise.all(first.map(({ fault }) => fault));
  const fault = faults.find((each) => each !== null);
  if (fault !== undefined) {
    endWorkers('SIGINT');
    await Promise.all(first.map(({ ended }) => ended));
    throw new CommandError(fault);
  }
  const current = [...first];
  const kept = first.map((_, index) => replaceWhenEnded(current, index, logger, closing.signal));
  return {
    scrape: async () => {
      const all = await Promise.all(current.map(scrape));
      return new Map(all.map((families, index) => [index + 1, families]));
    },
    close: async (hurrying) => {
      closing.abort();
      const hurry = (): void => endWorkers('SIGINT');
      if (hurrying.aborted) hurry();
      else endWorkers('SIGTERM');
      hurrying.addEventListener('abort', hurry, { once: true });
      await Promise.all(kept);
    },
  };
}

function startWorker(): Started {
  const worker = cluster.fork();
  const ended = new Promise<Ended>((resolve) => {
    const { pid } = worker.process;
    worker.once('exit', (code, signal) => resolve({ pid, code, signal }));
    // A connection handed to one that has just died is such an error too, and no reason to end.
    worker.on('error', () => {
      if (pid === undefined) resolve({ pid, code: null, signal: null });
    });
  });
  const fault = new Promise<string | null>((resolve) => {
    worker.once('message', (message) => resolve(message === LISTENS ? null : String(message)));
    void ended.then(() => resolve('a worker ended before it listened'));
  });
  return { worker, fault, ended };
}

async function replaceWhenEnded(
  current: Started[],
  index: number,
  logger: Logger,
  closing: AbortSignal,
): Promise<void> {
  for (let worker = current[index]; worker; worker = current[index] = startWorker()) {
    const ended = await worker.ended;
    if (closing.aborted) return;
    const fault = await worker.fault;
    logger.warn({ ...ended, fault }, 'a worker ended and is replaced');
    await sleep(REPLACE_AFTER_MS, undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) return;
  }
}

// One that has died, does not listen yet or is busy for too long is down to Prometheus.
async function scrape(started: Started): Promise<Family[]> {
  const timer = new AbortController();
  const late = sleep(SCRAPE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  const families = await Promise.race([ask(started, timer.signal), late]);
  timer.abort();
  const up = gauge('offplan_worker_up', 'Whether a worker answers.', [
    { labels: {}, value: families ? 1 : 0 },
  ]);
  return [up, ...(families ?? [])];
}

async function ask({ worker, fault }: Started, signal: AbortSignal): Promise<Family[] | undefined> {
  // What a worker says first is whether it listens; nothing else may come before that.
  if ((await fault) !== null || signal.aborted || !worker.isConnected()) return undefined;
  const scrape = (scrapes += 1);
  return new Promise((resolve) => {
    const hear = (message: Partial<Scraped>): void => {
      if (message.scrape === scrape) resolve(message.families);
    };
    worker.on('message', hear);
    signal.addEventListener('abort', () => {
      worker.off('message', hear);
      resolve(undefined);
    });
    worker.send({ scrape });
  });
}

// What answers a scrape that was given up must not answer the next one.
let scrapes = 0;

/** Lets the first process ask a worker for its metrics. */
export function answerScrapes({ gather }: Metrics): void {
  process.on('message', ({ scrape }: { scrape: number }) => {
    const scraped: Scraped = { scrape, families: gather() };
    if (process.connected) process.send?.(scraped, undefined, undefined, () => undefined);
  });
}

type StopSignal = 'SIGTERM' | 'SIGINT';

function endWorkers(signal: StopSignal): void {
  for (const worker of Object.values(cluster.workers ?? {})) if (worker) end(worker, signal);
}

function end({ process: child }: Worker, signal: StopSignal): void {
  child.kill(signal);
  setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
}

/** Whether this process is one that `startWorkers` has started. */
export function isWorker({ workers }: Config): boolean {
  // Process managers use node:cluster too, to run what is one process to us.
  return cluster.isWorker && workers > 1;
}

/** Does a worker's work, telling the first process why it cannot. */
export async function asWorker(work: () => Promise<void>): Promise<void> {
  // What is sent to a first process that has just been killed; that it is gone is heard as well.
  cluster.worker?.on('error', () => undefined);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await tell(error.message);
    process.exitCode = 1;
  } finally {
    // The channel would keep the process.
    if (process.connected) process.disconnect();
  }
}

function tell(message: string): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

/**
 * Tells the first process that a worker listens, and lets the worker end in order when that one is gone: Node would
 * end it on the spot, as it does with one that does not listen yet, and so has nothing to answer.
 */
export async function nowListening(): Promise<void> {
  await tell(LISTENS);
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
}
