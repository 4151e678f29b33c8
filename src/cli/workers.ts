import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../platform/config/index.ts';
import type { Metrics, ProcessMetrics } from '../platform/telemetry/index.ts';
import { CommandError } from './command-error.ts';
import type { ServiceProcess } from './serve.ts';

/** The pause before a worker is replaced: a worker that cannot start must not use up the processor. */
const REPLACE_AFTER_MS = 1_000;
/** Workers that do not stop are killed after this time, before the first process itself exits. */
const KILL_AFTER_MS = 8_500;
const METRICS_TIMEOUT_MS = 1_000;

const NOT_LISTENED = 'a worker ended before it listened';

/**
 * The workers share the port in the kernel, which gives each new connection to one of them. (The default of node:cluster is
 * that the first process hands the connections out: one for a worker that dies just then would never be answered.)
 */
export const SHARED_PORT = { reusePort: true, exclusive: true };

interface RunningWorker {
  worker: Worker;
  /** Resolves to false when the worker ends before it listens. */
  hasListened: Promise<boolean>;
  /** Resolves to the exit code and the signal. */
  ended: Promise<unknown[]>;
}

/** Reads the metrics of each worker by its number from 1; undefined for a worker that does not answer. */
export type ReadWorkers = () => Promise<Map<number, ProcessMetrics | undefined>>;

/** Starts the workers, waits until all of them listen on the port, and from then on replaces a worker that ends. */
export async function startWorkers({
  config: { host, port, workerCount },
  logger,
  stop: { stopping, hurrying },
  resources,
}: ServiceProcess): Promise<ReadWorkers> {
  const args = ['serve', '--port', String(port), '--host', host];
  // JSON would turn a metric that is NaN into null.
  cluster.setupPrimary({ args, serialization: 'advanced' });
  const workers = Array.from({ length: workerCount }, forkWorker);
  const closing = new AbortController();

  function signalAll(signal: NodeJS.Signals): void {
    for (const { worker } of workers) worker.process.kill(signal);
  }
  resources.defer(async () => {
    closing.abort();
    signalAll(stopping.aborted && !hurrying.aborted ? 'SIGTERM' : 'SIGINT');
    hurrying.addEventListener('abort', () => signalAll('SIGINT'), { once: true });
    setTimeout(signalAll, KILL_AFTER_MS, 'SIGKILL').unref();
    await Promise.all(workers.map(({ ended }) => ended));
  });

  async function replaceWhenEnded(index: number): Promise<void> {
    const { worker, hasListened, ended } = workers[index] ?? forkWorker();
    const [code, signal] = await ended;
    if (closing.signal.aborted) return;
    const { pid } = worker.process;
    const fault = (await hasListened) ? null : NOT_LISTENED;
    logger.warn({ pid, code, signal, fault }, 'a worker ended and is replaced');
    await sleep(REPLACE_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    if (closing.signal.aborted) return;
    workers[index] = forkWorker();
    void replaceWhenEnded(index);
  }

  const haveListened = await Promise.all(workers.map((each) => each.hasListened));
  if (haveListened.includes(false)) throw new CommandError(NOT_LISTENED);
  for (const index of workers.keys()) void replaceWhenEnded(index);
  return async () => {
    const metrics = await Promise.all(workers.map(({ worker }) => readMetrics(worker)));
    return new Map(metrics.map((each, index) => [index + 1, each]));
  };
}

function forkWorker(): RunningWorker {
  const worker = cluster.fork();
  // A process that the system cannot create has an error in place of an exit.
  const ended = once(worker, 'exit').catch((error: NodeJS.ErrnoException) => [error.code, null]);
  const hasListened = new Promise<boolean>((resolve) => {
    worker.once('message', () => resolve(true));
    void ended.then(() => resolve(false));
  });
  return { worker, hasListened, ended };
}

/** Asks a worker for its metrics. A worker that starts, is stuck or has died gives none. */
async function readMetrics(worker: Worker): Promise<ProcessMetrics | undefined> {
  const answered = once(worker, 'message', { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
  worker.send('metrics', () => undefined);
  const [message] = (await answered.catch(() => [])) as unknown[];
  return Array.isArray(message) ? message : undefined;
}

/** Whether `startWorkers` started this process. With one worker, a process manager may have used node:cluster itself. */
export function isWorker({ workerCount }: Config): boolean {
  return cluster.isWorker && workerCount > 1;
}

/** Tells the first process that this worker listens. From now on it answers for its metrics, and ends with that process. */
export function joinFirstProcess(metrics: Metrics | undefined): void {
  // With a callback, a message to a first process that was just killed is no error; `disconnect` follows.
  const send = (message: unknown) => process.send?.(message, undefined, undefined, () => undefined);
  send('listening');
  process.on('message', () => void metrics?.read().then(send));
  // By default node:cluster exits at once without the first process. SIGINT answers the requests in flight before.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
}
