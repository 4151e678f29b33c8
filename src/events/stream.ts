import type { Principal } from '../access/index.ts';
import type { EventItem } from './schemas.ts';
import { makeEventCursor } from './ids.ts';
import type { EventPage } from './follow.ts';

/** How often a quiet stream sends a comment, so that proxies and clients do not close it as dead. */
const COMMENT_EVERY_MS = 15_000;

/** How often a quiet stream checks what its caller may still read. */
const RECHECK_MS = 200;

interface EventStream {
  /** The number after which the stream begins. */
  after: number;
  /** Finds the caller as they are now; undefined when they may no longer read. */
  findReader: () => Promise<Principal | undefined>;
  readPage: (after: number, reader: Principal) => Promise<EventPage>;
  /** Waits until there are events after a number, or the signal aborts. Returns whether there are. */
  waitForEvents: (after: number, signal: AbortSignal) => Promise<boolean>;
  /** Aborted to end the stream. */
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
  let lastSentMs = performance.now();
  let hasMore = true;
  while (!signal.aborted) {
    const reader = await findReader();
    if (reader === undefined) return;
    const page: EventPage | undefined = hasMore ? await readPage(sequence, reader) : undefined;
    if (page !== undefined) ({ sequence, hasMore } = page);
    const isQuiet = page === undefined || page.events.length === 0;
    if (!isQuiet || performance.now() - lastSentMs >= COMMENT_EVERY_MS) {
      yield isQuiet ? formatComment(sequence) : page.events.map(formatEvent).join('');
      lastSentMs = performance.now();
    }
    if (!hasMore)
      hasMore = await waitForEvents(
        sequence,
        AbortSignal.any([signal, AbortSignal.timeout(RECHECK_MS)]),
      );
  }
}

function formatEvent(event: EventItem): string {
  return `id: ${makeEventCursor(event.sequence)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Formats a comment with the current cursor: for a long time, no event may pass the filter. */
function formatComment(sequence: number): string {
  return `: waiting\nid: ${makeEventCursor(sequence)}\n\n`;
}
