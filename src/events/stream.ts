import type { Principal } from '../access/index.ts';
import type { EventItem } from './schemas.ts';
import { makeCursor } from './ids.ts';
import type { EventPage } from './follow.ts';

/** A comment keeps proxies and clients from taking a quiet stream for a dead one. */
const COMMENT_EVERY_MS = 15_000;

interface EventStream {
  /** The number after which the stream begins. */
  after: number;
  /** Finds the caller as they are now; undefined when they may no longer read. */
  findReader: () => Promise<Principal | undefined>;
  readPage: (after: number, reader: Principal) => Promise<EventPage>;
  /** Waits until there are events after a number, or the signal aborts. */
  waitForEvents: (after: number, signal: AbortSignal) => Promise<void>;
  /** Ends the stream. */
  signal: AbortSignal;
}

/** Writes events as Server-Sent Events until the signal aborts, or the caller may no longer read. */
export async function* streamEvents({
  after,
  findReader,
  readPage,
  waitForEvents,
  signal,
}: EventStream): AsyncGenerator<string> {
  let sequence = after;
  yield formatComment(sequence);
  let saidMs = performance.now();
  while (!signal.aborted) {
    const reader = await findReader();
    if (reader === undefined) return;
    const page = await readPage(sequence, reader);
    ({ sequence } = page);
    if (page.events.length > 0) yield page.events.map(formatEvent).join('');
    else if (performance.now() - saidMs >= COMMENT_EVERY_MS) yield formatComment(sequence);
    else {
      if (!page.hasMore)
        await waitForEvents(sequence, AbortSignal.any([signal, AbortSignal.timeout(RECHECK_MS)]));
      continue;
    }
    saidMs = performance.now();
  }
}

/** A quiet stream looks this often what its caller may still read. */
const RECHECK_MS = 200;

function formatEvent(event: EventItem): string {
  return `id: ${makeCursor(event.sequence)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A comment with the place that the stream has reached: the filter may let no event pass for long. */
function formatComment(sequence: number): string {
  return `: waiting\nid: ${makeCursor(sequence)}\n\n`;
}
