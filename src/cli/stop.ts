import { once } from 'node:events';

/** After how long the process ends whatever holds it: a process manager would kill it after 10 seconds. */
export const EXIT_TIMEOUT_MS = 9_000;

/** What SIGTERM and Ctrl-C ask for. */
export interface Stop {
  /** Aborted when the service is to stop. */
  stopping: AbortSignal;
  /** Aborted when who stops it waits for that. */
  hurrying: AbortSignal;
}

/** Listens from the first moment on, so that a start that is interrupted also ends in order. */
export function onStopSignals(): Stop {
  const stopping = new AbortController();
  const hurrying = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    // A process manager may send SIGTERM twice; a Ctrl-C after it means what it says.
    if (signal !== 'SIGTERM') hurrying.abort();
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return { stopping: stopping.signal, hurrying: hurrying.signal };
}

/** Waits until a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
