import cluster from 'node:cluster';
import type { Config } from '../platform/config/index.ts';
import type { Metrics, ProcessMetrics } from '../platform/telemetry/index.ts';
import { CommandError } from './command-error.ts';

/** The first message says whether the worker listens (`fault` is null) or why not. The others are its metrics. */
export interface WorkerMessage {
  fault?: string | null;
  metrics?: ProcessMetrics;
}

/**
 * The workers share the port in the kernel, which gives each new connection to one of them. (The default of node:cluster is
 * that the first process hands the connections out: one for a worker that dies just then would never be answered.)
 */
export const SHARED_PORT = { reusePort: true, exclusive: true };

/** Whether `startWorkers` started this process. With one worker, a process manager may have used node:cluster itself. */
export function isWorker({ workers }: Config): boolean {
  return cluster.isWorker && workers > 1;
}

/** Runs the service of a worker. The first process receives the reason why it cannot listen. */
export async function runAsWorker(work: () => Promise<void>): Promise<void> {
  // A message to a first process that was just killed is an error; `disconnect` follows.
  cluster.worker?.on('error', () => undefined);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await send({ fault: error.message });
    process.exitCode = 1;
  } finally {
    // An open channel keeps the process alive.
    if (process.connected) process.disconnect();
  }
}

/** Tells the first process that this worker listens. From now on it answers for its metrics, and ends with that process. */
export async function announceListening(metrics: Metrics | undefined): Promise<void> {
  await send({ fault: null });
  if (metrics)
    process.on('message', () => void metrics.read().then((each) => send({ metrics: each })));
  // By default node:cluster exits at once without the first process. SIGINT answers the requests in flight before.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
}

function send(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
