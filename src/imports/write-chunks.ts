import { raiseRevision } from '../accounts/index.ts';
import { writeChanges, type WritableChanges } from '../contacts/index.ts';
import { appendEvents, countEvents, type AuthoredEvents } from '../events/index.ts';
import type { Queryable, Track } from '../platform/database/index.ts';
import { makeRecords } from './log/record.ts';
import type { RefusedLimit } from './log/refused-bytes.ts';
import { writeRecords } from './log/store.ts';
import type { Plan } from './rules.ts';
import { mapChunks } from './chunks.ts';
import { areActive, hasAnyTag, type TagOfContact } from './store.ts';
import { pickLeads } from './submission.ts';

/** A chunk of imports with all that is written for it. */
interface PlannedChunk extends Pick<Plan, 'planned' | 'versions'> {
  changes: WritableChanges;
  events: AuthoredEvents[];
}

/** Writes the contacts, events and records of chunks, in order. It does not wait for the answers. */
export async function writeChunks(
  tx: Queryable,
  track: Track,
  accountId: string,
  chunks: PlannedChunk[],
  { now, limit }: { now: Date; limit: RefusedLimit | null },
): Promise<void> {
  const countRows = ({ changes }: PlannedChunk) => changes.inserted.length + changes.updated.length;
  // The numbers of rows and events that are still to be written.
  let rows = sum(chunks, countRows);
  let events = sum(chunks, (each) => countEvents(each.events));
  const [raised] = await Promise.all([
    raiseRevision(tx, accountId, now, { rows, events }),
    requireActive(tx, accountId, listAssignedUsers(chunks)),
    requireUntagged(tx, accountId, listTagsOfKnownContacts(chunks)),
  ]);
  await mapChunks(chunks, (each) => {
    rows -= countRows(each);
    events -= countEvents(each.events);
    void track(writeChanges(tx, accountId, each.changes, { ...raised, laterCount: rows }));
    void track(
      appendEvents(tx, accountId, each.events, { ...raised, at: now, laterCount: events }),
    );
    const records = makeRecords(each.planned, each.versions);
    void track(writeRecords(tx, accountId, limit?.apply(records) ?? records));
  });
}

/** Another writer has changed rows after this import read them, and before it raised the revision. */
export class OutdatedError extends Error {}

/**
 * Throws when one of these people is no longer active. A deactivation holds the revision while it reassigns the contacts that it
 * finds, so the statement comes after the one that waits for the revision.
 */
async function requireActive(tx: Queryable, accountId: string, userIds: string[]): Promise<void> {
  if (!(await areActive(tx, accountId, userIds))) throw new OutdatedError();
}

/**
 * Throws when one of these contacts already has the tag that the import adds. A merge of tags takes no email locks, so it can
 * give a contact the tag while the import waits for the revision.
 */
async function requireUntagged(
  tx: Queryable,
  accountId: string,
  tags: TagOfContact[],
): Promise<void> {
  if (await hasAnyTag(tx, accountId, tags)) throw new OutdatedError();
}

function listTagsOfKnownContacts(chunks: PlannedChunk[]): TagOfContact[] {
  const newIds = new Set(chunks.flatMap(({ changes }) => changes.inserted.map(({ id }) => id)));
  return chunks
    .flatMap(({ changes }) => changes.tags)
    .filter(({ contactId }) => !newIds.has(contactId));
}

/** Lists the people to whom accepted leads assign their contacts. */
function listAssignedUsers(chunks: PlannedChunk[]): string[] {
  const accepted = chunks.flatMap(({ planned }) => planned.filter(({ step }) => step !== null));
  return [...new Set(pickLeads(accepted).flatMap((lead) => lead.assignedAccountUserId ?? []))];
}

function sum<Item>(items: Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
