/** Waits, but not longer than until the window gets the focus or the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = (): void => resolve();
  signal.addEventListener('abort', wake, { once: true });
  addEventListener('focus', wake, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    removeEventListener('focus', wake);
    signal.removeEventListener('abort', wake);
  });
}
