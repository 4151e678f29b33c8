import { followLive, type OnStep, type Step } from './stream.ts';

/**
 * Follows the events in one tab for all tabs of the same person, because a browser opens only six HTTP/1.1 connections to a
 * host. The tab with the lock reads the stream. When it closes, another tab gets the lock, and goes on at the same place.
 */
export function shareStream(name: string, head: string | undefined, onStep: OnStep): () => void {
  const channel = new BroadcastChannel(`offplan-live:${name}`);
  const stopping = new AbortController();
  let cursor = head;

  function take(step: Step): void {
    ({ cursor } = step);
    onStep(step);
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Step>) => take(data));

  /** Follows the events for all tabs until the person leaves the page. The promise keeps the lock. */
  function followForAllTabs(): Promise<void> {
    // The browser can grant the lock after the person has left the page.
    if (stopping.signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = followLive((step) => {
      // An answer may arrive after the person has left the page.
      if (stopping.signal.aborted) return;
      channel.postMessage(step);
      take(step);
    }, cursor);
    stopping.signal.addEventListener('abort', () => void [stop(), resolve()], { once: true });
    return promise;
  }
  navigator.locks
    .request(`offplan-live:${name}`, { signal: stopping.signal }, followForAllTabs)
    // The request for the lock was aborted: the person left the page.
    .catch(() => undefined);
  return () => {
    stopping.abort();
    channel.close();
  };
}
