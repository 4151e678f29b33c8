import { constants } from 'node:os';
import { STOP_SIGNALS } from '../platform/signals/index.ts';

/** A terminal and npm both send the signal of a Ctrl-C, so signals within this time count as one. */
const SAME_SIGNAL_MS = 500;

/** The exit code of a process that this signal ended, as a shell reports it: 130 for SIGINT, 143 for SIGTERM. */
export function toExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Calls the first action at the first signal to stop, the second action at the second, and so on. Returns a function that
 * removes the listeners, unless a signal has come: the same signal may arrive again, and must not kill the ending process.
 */
export function callOnSignals(actions: ((signal: NodeJS.Signals) => unknown)[]): () => void {
  let lastMs = -Infinity;
  const listener = (signal: NodeJS.Signals): void => {
    if (performance.now() - lastMs < SAME_SIGNAL_MS) return;
    lastMs = performance.now();
    actions.shift()?.(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return () => {
    if (lastMs !== -Infinity) return;
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}
