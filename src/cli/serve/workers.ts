import cluster, { type Worker } from 'node:cluster';
import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Metrics, ProcessMetrics } from '../../platform/telemetry/index.ts';
import { CommandError } from '../command-error.ts';
import type { ServiceProcess } from './service-process.ts';

/** The pause before a new worker replaces one that ended: a worker that cannot start must not use up the processor. */
const REPLACE_AFTER_MS = 1_000;
/** The first process kills workers that have not stopped after this time, before it exits itself. */
const KILL_AFTER_MS = 8_500;
const METRICS_TIMEOUT_MS = 1_000;
/** A worker may be busy during its start. The first process kills it after this silence, or `timeoutMs` when that is longer. */
const START_TIMEOUT_MS = 30_000;
/** How many pings without an answer the first process sends before it kills a worker. */
const PINGS_BEFORE_KILL = 4;

const ENDED_BEFORE_LISTENING = 'a worker ended before it listened';

/**
 * The kernel gives each new connection to one of the workers that listen on the port. By default, the first process of
 * node:cluster hands out connections, and loses those of a worker that dies.
 */
export const SHARED_PORT = { reusePort: true, exclusive: true };

interface RunningWorker {
  worker: Worker;
  /** Resolves to false when the worker ends before it listens. */
  hasListened: Promise<boolean>;
  /** Resolves to the exit code and the signal. */
  ended: Promise<unknown[]>;
  isListening: boolean;
  /** The time since its last message. */
  silentMs: number;
}

/** Reads the metrics of each worker, by its number from 1. The value is undefined for a worker that does not answer. */
export type ReadWorkers = () => Promise<Map<number, ProcessMetrics | undefined>>;

/** Starts the workers, and waits until all of them listen. From then on, replaces each worker that ends. */
export async function startWorkers({
  config: { host, port, workerCount, workerTimeoutMs },
  logger,
  stop: { stopping, skippingDrain },
  resources,
}: ServiceProcess): Promise<ReadWorkers> {
  const args = ['serve', '--port', String(port), '--host', host];
  // JSON would turn a metric that is NaN into null.
  cluster.setupPrimary({ args, serialization: 'advanced' });
  const workers = Array.from({ length: workerCount }, forkWorker);
  const closing = new AbortController();
  const watch = killSilentWorkers(workers, workerTimeoutMs, logger);

  function signalAll(signal: NodeJS.Signals): void {
    for (const { worker } of workers) worker.process.kill(signal);
  }
  resources.defer(async () => {
    closing.abort();
    clearInterval(watch);
    signalAll(stopping.aborted && !skippingDrain.aborted ? 'SIGTERM' : 'SIGINT');
    skippingDrain.addEventListener('abort', () => signalAll('SIGINT'), { once: true });
    setTimeout(signalAll, KILL_AFTER_MS, 'SIGKILL').unref();
    await Promise.all(workers.map(({ ended }) => ended));
  });

  async function replaceWhenEnded(index: number): Promise<void> {
    const { worker, hasListened, ended } = workers[index] ?? forkWorker();
    const [code, signal] = await ended;
    if (closing.signal.aborted) return;
    const { pid } = worker.process;
    const fault = (await hasListened) ? null : ENDED_BEFORE_LISTENING;
    logger.warn({ pid, code, signal, fault }, 'a worker ended and is replaced');
    await sleep(REPLACE_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    if (closing.signal.aborted) return;
    workers[index] = forkWorker();
    void replaceWhenEnded(index);
  }

  const listenedFlags = await Promise.all(workers.map((each) => each.hasListened));
  if (listenedFlags.includes(false)) throw new CommandError(ENDED_BEFORE_LISTENING);
  for (const index of workers.keys()) void replaceWhenEnded(index);
  return async () => {
    const metrics = await Promise.all(workers.map(({ worker }) => readMetrics(worker)));
    return new Map(metrics.map((each, index) => [index + 1, each]));
  };
}

function forkWorker(): RunningWorker {
  const worker = cluster.fork();
  // When the system cannot create the process, the worker emits an error instead of an exit.
  const ended = once(worker, 'exit').catch((error: NodeJS.ErrnoException) => [error.code, null]);
  const hasListened = new Promise<boolean>((resolve) => {
    worker.on('message', (message) => message === 'listening' && resolve(true));
    void ended.then(() => resolve(false));
  });
  const running = { worker, hasListened, ended, isListening: false, silentMs: 0 };
  worker.on('message', (message) => {
    running.silentMs = 0;
    if (message === 'listening') running.isListening = true;
  });
  return running;
}

/**
 * Kills each worker that has not answered for `timeoutMs`, or for longer during its start: otherwise the kernel would still give it
 * connections, which would hang. It counts unanswered pings instead of time, so that a pause of this process does not count as
 * silence of the workers.
 */
function killSilentWorkers(
  workers: RunningWorker[],
  timeoutMs: number,
  logger: Logger,
): NodeJS.Timeout {
  const everyMs = timeoutMs / PINGS_BEFORE_KILL;

  function ping(running: RunningWorker): void {
    const { worker, isListening } = running;
    if (worker.process.killed) return;
    if (running.silentMs >= (isListening ? timeoutMs : Math.max(timeoutMs, START_TIMEOUT_MS))) {
      logger.warn({ pid: worker.process.pid }, 'a worker does not answer and is killed');
      worker.process.kill('SIGKILL');
      return;
    }
    running.silentMs += everyMs;
    worker.send('ping', () => undefined);
  }

  return setInterval(() => workers.forEach(ping), everyMs);
}

/** Asks a worker for its metrics. Returns undefined when the worker does not answer in time. */
async function readMetrics(worker: Worker): Promise<ProcessMetrics | undefined> {
  const messages = on(worker, 'message', { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
  worker.send('metrics', () => undefined);
  try {
    for await (const [message] of messages) if (Array.isArray(message)) return message;
  } catch {
    // The worker did not answer in time.
  }
  return undefined;
}

/** Answers the pings of the first process. Call it first, so that the first process does not kill a worker with a long start. */
export function answerPings(): void {
  process.on('message', (message) => {
    if (message === 'ping') send('pong');
  });
}

/** Reports to the first process that this worker listens. From now on the worker sends its metrics, and stops with it. */
export function joinFirstProcess(metrics: Metrics | undefined): void {
  send('listening');
  process.on('message', (message) => {
    if (message === 'metrics') void metrics?.read().then(send);
  });
  // By default, a worker exits at once when the first process ends. SIGINT lets it answer its requests in flight.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
}

// With a callback, Node does not throw when the first process has just been killed; `disconnect` follows.
function send(message: unknown): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
