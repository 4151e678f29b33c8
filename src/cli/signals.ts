/** The exit codes of processes that a signal ended, as a shell reports them. */
export const SIGNAL_EXIT_CODES: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGTERM: 143,
};
/** A terminal and npm both send the signal of a Ctrl-C, so signals within this time count as one. */
const SAME_SIGNAL_MS = 500;

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
  const signals = Object.keys(SIGNAL_EXIT_CODES);
  for (const signal of signals) process.on(signal, listener);
  return () => {
    if (lastMs !== -Infinity) return;
    for (const signal of signals) process.off(signal, listener);
  };
}
