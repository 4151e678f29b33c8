import { probeService, plainApi, ProblemError, type Event } from '../api.ts';
import { ROOT } from '../root.ts';
import { sleep } from './sleep.ts';
import { EVENT_TYPES } from './types.ts';

/** One step along the events of the account. */
export interface Step {
  /** A place in the events. A follower that starts there misses none after this step. */
  cursor: string;
  event?: Event;
  /** Whether events were missed: the page must read all its data again. */
  isGap?: boolean;
}

export type OnStep = (step: Step) => void;

const OPEN_WITHIN_MS = 10_000;
const REOPEN_AFTER_MS = 2_000;
const REFUSED_AGAIN_AFTER_MS = 60_000;

/**
 * Follows the events of the account after a cursor, or else after the latest event, through the service's stream, or by polling
 * where a proxy buffers the stream. Returns the function that stops it.
 */
export function followLive(onStep: OnStep, after?: string): () => void {
  const stopping = new AbortController();
  void follow(onStep, stopping.signal, after);
  return () => stopping.abort();
}

async function follow(onStep: OnStep, signal: AbortSignal, after?: string): Promise<void> {
  let cursor = after ?? (await readHead(signal));
  // The page may have read its rows before the events between them and this head.
  onStep({ cursor, isGap: after === undefined });
  while (!signal.aborted) {
    const end = await readStream(
      cursor,
      (event, next) => {
        cursor = next;
        onStep({ cursor, event });
      },
      signal,
    );
    if (signal.aborted) return;
    if (end === 'buffered') {
      const { poll } = await import('./poll.ts');
      cursor = await poll(cursor, onStep, signal);
      continue;
    }
    await sleep(REOPEN_AFTER_MS, signal);
    // The cursor may have expired, so start again at the head and report the gap.
    cursor = await readHead(signal);
    onStep({ cursor, isGap: true });
  }
}

type StreamEnd = 'buffered' | 'ended';

/** Reads the stream until it ends for good. The end is `buffered` when it did not open in time: then a proxy probably buffers it. */
function readStream(
  after: string,
  onEvent: (event: Event, cursor: string) => void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const source = new EventSource(`${ROOT}/api/v1/events?after=${encodeURIComponent(after)}`);
  const { promise, resolve } = Promise.withResolvers<StreamEnd>();
  const timer = setTimeout(() => endAs('buffered'), OPEN_WITHIN_MS);
  function endAs(end: StreamEnd): void {
    clearTimeout(timer);
    source.close();
    resolve(end);
  }
  source.addEventListener('open', () => clearTimeout(timer));
  // The browser reconnects a broken stream by itself, with `Last-Event-ID`. It closes the stream only when the service refuses it.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) endAs('ended');
    else probeService();
  });
  for (const type of EVENT_TYPES)
    source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) =>
      onEvent(JSON.parse(data) as Event, lastEventId),
    );
  signal.addEventListener('abort', () => endAs('ended'), { once: true });
  return promise;
}

/** Reads the cursor of the latest event. Retries until the service answers. */
async function readHead(signal: AbortSignal): Promise<string> {
  while (!signal.aborted)
    try {
      return (await plainApi.GET('/events/head', { signal })).data.cursor;
    } catch (error) {
      // A refusal, for example of an ended session, lasts until the person acts, so retry it rarely.
      const isRefused = error instanceof ProblemError && error.status < 500;
      await sleep(isRefused ? REFUSED_AGAIN_AFTER_MS : REOPEN_AFTER_MS, signal);
    }
  return 'head';
}
