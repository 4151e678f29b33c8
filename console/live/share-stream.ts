import type { Event } from '../api.ts';
import { followLive, type LiveListener } from './stream.ts';

type Message = { event: Event } | { isGap: true };

/**
 * Follows the events in one tab for all tabs of the same person, because a browser opens only six HTTP/1.1 connections to a
 * host. The tab with the lock reads the stream; when it closes, another tab gets the lock.
 */
export function shareStream(name: string, listener: LiveListener): () => void {
  const channel = new BroadcastChannel(`offplan-live:${name}`);
  const stopping = new AbortController();
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('event' in data) listener.onEvent(data.event);
    else listener.onGap();
  });
  /** Follows the events for all tabs until the person leaves the page. The promise keeps the lock. */
  function followForAllTabs(): Promise<void> {
    // The browser can grant the lock after the person has left the page.
    if (stopping.signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = followLive({
      onEvent: (event) => {
        channel.postMessage({ event } satisfies Message);
        listener.onEvent(event);
      },
      onGap: () => {
        channel.postMessage({ isGap: true } satisfies Message);
        listener.onGap();
      },
    });
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
