import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/index.ts';
import type { ProcessMetrics } from '../platform/telemetry/index.ts';
import { CommandError } from './command-error.ts';
import type { Service } from './serve.ts';
import type { WorkerMessage } from './worker.ts';

/** The pause before a worker is replaced: a worker that cannot start must not use up the processor. */
const REPLACE_AFTER_MS = 1_000;
/** Workers that do not stop are killed after this time, before the first process itself exits. */
const KILL_AFTER_MS = 8_500;
const METRICS_TIMEOUT_MS = 1_000;

interface RunningWorker {
  worker: Worker;
  /** Resolves with null when the worker listens, else with the reason why it cannot. */
  fault: Promise<string | null>;
  ended: Promise<{ pid: number | undefined; code: number | null; signal: string | null }>;
}

export interface Workers extends Service {
  /** The metrics of each worker by its number from 1; undefined for a worker that does not answer. */
  readMetrics: () => Promise<Map<number, ProcessMetrics | undefined>>;
}

/** Starts the workers, waits until all of them listen on the port, and from then on replaces a worker that ends. */
export async function startWorkers(
  { host, port, workers: count }: Config,
  logger: Logger,
): Promise<Workers> {
  const args = ['serve', '--port', String(port), '--host', host];
  // JSON would turn a metric that is NaN into null.
  cluster.setupPrimary({ args, serialization: 'advanced' });
  const workers = Array.from({ length: count }, forkWorker);
  const fault = (await Promise.all(workers.map((each) => each.fault))).find(Boolean);
  if (fault) {
    signalWorkers(workers, 'SIGINT');
    await Promise.all(workers.map(({ ended }) => ended));
    throw new CommandError(fault);
  }

  const closing = new AbortController();
  async function keepRunning(index: number): Promise<void> {
    for (let each = workers[index]; each; workers[index] = each = forkWorker()) {
      const ended = await each.ended;
      if (!closing.signal.aborted)
        logger.warn({ ...ended, fault: await each.fault }, 'a worker ended and is replaced');
      await sleep(REPLACE_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
    }
  }
  const running = [...workers.keys()].map(keepRunning);

  return {
    readMetrics: async () => {
      const metrics = await Promise.all(workers.map(readWorkerMetrics));
      return new Map(metrics.map((each, index) => [index + 1, each]));
    },
    close: async (hurrying) => {
      closing.abort();
      signalWorkers(workers, hurrying.aborted ? 'SIGINT' : 'SIGTERM');
      hurrying.addEventListener('abort', () => signalWorkers(workers, 'SIGINT'), { once: true });
      setTimeout(() => signalWorkers(workers, 'SIGKILL'), KILL_AFTER_MS).unref();
      await Promise.all(running);
    },
  };
}

function forkWorker(): RunningWorker {
  const worker = cluster.fork();
  const { pid } = worker.process;
  // A message to a worker that has just died is an error. Its end is handled below.
  worker.on('error', () => undefined);
  const ended: RunningWorker['ended'] = new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve({ pid, code, signal }));
    // A process that the system cannot create has no exit.
    if (pid === undefined) resolve({ pid, code: null, signal: null });
  });
  const fault = new Promise<string | null>((resolve) => {
    worker.once('message', (message: WorkerMessage) => resolve(message.fault ?? null));
    void ended.then(() => resolve('a worker ended before it listened'));
  });
  return { worker, fault, ended };
}

function signalWorkers(workers: RunningWorker[], signal: NodeJS.Signals): void {
  for (const { worker } of workers) worker.process.kill(signal);
}

async function readWorkerMetrics({
  worker,
  fault,
}: RunningWorker): Promise<ProcessMetrics | undefined> {
  const signal = AbortSignal.timeout(METRICS_TIMEOUT_MS);
  try {
    // The first message of a worker is its fault; after it come only metrics.
    const timedOut = once(signal, 'abort').then(() => 'a worker is still starting');
    if ((await Promise.race([fault, timedOut])) !== null) return undefined;
    const answered = once(worker, 'message', { signal }) as Promise<[WorkerMessage]>;
    worker.send('metrics');
    return (await answered)[0].metrics;
  } catch {
    return undefined;
  }
}
