import { calculateRaised, lockRevision, storeRaised, type Locked } from '../accounts/index.ts';
import { insertTags, writeChanges, type NewTag, type WritableChanges } from '../contacts/index.ts';
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

interface WriteOptions {
  now: Date;
  limit: RefusedLimit | null;
  /** The revision, if it was locked before the leads were planned. */
  locked: Locked | null;
  /** The tags that the account lacks. */
  newTags: NewTag[];
}

/** Writes the tags, contacts, events and records of chunks, in order. It does not wait for the answers to its last writes. */
export async function writeChunks(
  tx: Queryable,
  track: Track,
  accountId: string,
  chunks: PlannedChunk[],
  { now, limit, locked, newTags }: WriteOptions,
): Promise<void> {
  const countRows = ({ changes }: PlannedChunk) => changes.inserted.length + changes.updated.length;
  // The numbers of rows and events that are still to be written.
  let rows = sum(chunks, countRows);
  let events = sum(chunks, (each) => countEvents(each.events));
  const before = locked ?? (await lockAndCheck(tx, accountId, chunks));
  const raised = calculateRaised(before, now, { rows, events });
  void track(storeRaised(tx, accountId, raised));
  await insertTags(tx, accountId, newTags);
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

/** Another writer has changed rows after this import read them, and before it locked the revision. */
export class OutdatedError extends Error {}

/** Locks the revision, and throws when rows that were read before have changed meanwhile in a way that no constraint refuses. */
async function lockAndCheck(
  tx: Queryable,
  accountId: string,
  chunks: PlannedChunk[],
): Promise<Locked> {
  const [locked] = await Promise.all([
    lockRevision(tx, accountId),
    requireActive(tx, accountId, listAssignedUsers(chunks)),
    requireUntagged(tx, accountId, listTagsOfKnownContacts(chunks)),
  ]);
  return locked;
}

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
