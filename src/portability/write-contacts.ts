import type { Raised } from '../accounts/index.ts';
import { assignTagIds, writeChanges } from '../contacts/index.ts';
import { appendEvents, countEvents } from '../events/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { ContactChunk } from './contact-changes.ts';
import { listChunkEvents, type ContactOrigin } from './load-events.ts';

/** Receives how many contacts the load has written, and how many there are. */
export type OnProgress = (done: number, total: number) => void;

/** Counts the contacts that a load writes. */
export function countChangedContacts(chunks: Pick<ContactChunk, 'changes'>[]): number {
  return chunks.reduce(
    (sum, { changes }) => sum + changes.inserted.length + changes.updated.length,
    0,
  );
}

/** Counts the events of the contacts that a load writes. */
export function countContactEvents(chunks: ContactChunk[], tagIds: Map<string, string>): number {
  return chunks.reduce((sum, chunk) => sum + countEvents(listChunkEvents(chunk, tagIds)), 0);
}

interface ContactWriting {
  /** The ids of the tags by their keys. */
  tagIds: Map<string, string>;
  now: Date;
  raised: Raised;
  /** The origins of the contacts, by their ids. */
  origins?: ReadonlyMap<string, ContactOrigin>;
  /** The number of events of all these contacts. */
  eventCount: number;
}

/** Writes the planned changes of contacts, chunk by chunk. */
export async function writeContacts(
  tx: Queryable,
  accountId: string,
  chunks: ContactChunk[],
  { tagIds, now, raised, origins, eventCount }: ContactWriting,
  onProgress: OnProgress,
): Promise<void> {
  const total = chunks.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  let rowsLeft = countChangedContacts(chunks);
  let eventsLeft = eventCount;
  for (const chunk of chunks) {
    const events = listChunkEvents(chunk, tagIds, origins);
    rowsLeft -= countChangedContacts([chunk]);
    eventsLeft -= countEvents(events);
    // PostgreSQL writes the contacts while Node.js makes the JSON of their events.
    await Promise.all([
      writeChanges(tx, accountId, assignTagIds(chunk.changes, tagIds), {
        ...raised,
        laterCount: rowsLeft,
      }),
      appendEvents(tx, accountId, events, { ...raised, at: now, laterCount: eventsLeft }),
    ]);
    done += chunk.size;
    onProgress(done, total);
  }
}
