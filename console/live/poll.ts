import { plainApi, ProblemError, type Event } from '../api.ts';
import { sleep } from './sleep.ts';
import type { OnStep } from './stream.ts';

const POLL_EVERY_MS = 15_000;
const POLL_COUNT = 40;
const POLL_MAX_EVENTS = 1_000;

/**
 * Polls for new events every 15 seconds, and when the window gets the focus. Ends after ten minutes: the stream may open then, when
 * it was the start of the service that took so long. Returns the cursor of the latest event.
 */
export async function poll(from: string, onStep: OnStep, signal: AbortSignal): Promise<string> {
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
