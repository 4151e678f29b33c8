import { probeService, plainApi, ProblemError, type Event } from '../api.ts';
import { ROOT } from '../root.ts';
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
const POLL_EVERY_MS = 15_000;
const POLL_COUNT = 40;
const POLL_MAX_EVENTS = 1_000;
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
  onStep({ cursor });
  while (!signal.aborted) {
    const isBuffered = await readStream(
      cursor,
      (event, next) => {
        cursor = next;
        onStep({ cursor, event });
      },
      signal,
    );
    if (signal.aborted) return;
    if (isBuffered) {
      cursor = await poll(cursor, onStep, signal);
      continue;
    }
    await sleep(REOPEN_AFTER_MS, signal);
    // The cursor may have expired, so start again at the head and report the gap.
    cursor = await readHead(signal);
    onStep({ cursor, isGap: true });
  }
}

/** Reads the stream until it ends for good. Returns true when it did not open in time: then a proxy probably buffers it. */
function readStream(
  after: string,
  onEvent: (event: Event, cursor: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const source = new EventSource(`${ROOT}/api/v1/events?after=${encodeURIComponent(after)}`);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => end(true), OPEN_WITHIN_MS);
  function end(isBuffered: boolean): void {
    clearTimeout(timer);
    source.close();
    resolve(isBuffered);
  }
  source.addEventListener('open', () => clearTimeout(timer));
  // The browser reconnects a broken stream by itself, with `Last-Event-ID`. It closes the stream only when the service refuses it.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) end(false);
    else probeService();
  });
  for (const type of EVENT_TYPES)
    source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) =>
      onEvent(JSON.parse(data) as Event, lastEventId),
    );
  signal.addEventListener('abort', () => end(false), { once: true });
  return promise;
}

/**
 * Polls for new events every 15 seconds, and when the window gets the focus. Ends after ten minutes: the stream may open then, when
 * it was the start of the service that took so long. Returns the cursor of the latest event.
 */
async function poll(from: string, onStep: OnStep, signal: AbortSignal): Promise<string> {
  let cursor = from;
  for (let count = 0; count < POLL_COUNT && !signal.aborted; count += 1) {
    await sleep(POLL_EVERY_MS, signal);
    try {
      const { data } = await plainApi.GET('/events', {
        params: { query: { after: cursor, limit: POLL_MAX_EVENTS } },
        signal,
        retries: 0,
      });
      cursor = data.cursor;
      for (const event of data.data as Event[]) onStep({ cursor, event });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'cursor_expired') continue;
      cursor = error.problem.headCursor ?? 'head';
      onStep({ cursor, isGap: true });
    }
  }
  return cursor;
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

/** Waits, but not longer than until the window gets the focus or the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
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
