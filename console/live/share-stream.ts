import type { Event } from '../api.ts';
import { followLive, type LiveListener } from './stream.ts';

type Message = { event: Event } | { isGap: true };

/**
 * Follows the events in one tab of the browser for all tabs of the same person: HTTP/1.1 allows six connections to a host.
 * The tab that holds the lock reads the stream, and another takes over when it closes.
 */
export function shareStream(name: string, listener: LiveListener): () => void {
  const channel = new BroadcastChannel(`offplan-live:${name}`);
  const over = new AbortController();
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('event' in data) listener.onEvent(data.event);
    else listener.onGap();
  });
  function lead(): Promise<void> {
    // The lock can be on its way when the page is left.
    if (over.signal.aborted) return Promise.resolve();
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
    over.signal.addEventListener('abort', () => void [stop(), resolve()], { once: true });
    return promise;
  }
  navigator.locks
    .request(`offplan-live:${name}`, { signal: over.signal }, lead)
    // The page was left before it got the lock.
    .catch(() => undefined);
  return () => {
    over.abort();
    channel.close();
  };
}
