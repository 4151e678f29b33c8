import {
  findContacts,
  planContact,
  parseActivity,
  parseLink,
  writeChanges,
  type Activity,
  type ContactWithDetails,
  type Link,
  type WritableChanges,
} from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { Change } from '../platform/fields/index.ts';
import { newId } from '../platform/text/index.ts';
import type { Match } from './entries.ts';
import { countChanges, joinChanges, type Counts } from './plan-rows.ts';
import type { ContactEntry } from './schemas.ts';

export interface ContactReport {
  contacts: Counts;
  activities: { created: number };
  links: { created: number };
}

/** Called with the number of contacts that have been written so far. */
export type OnProgress = (done: number, total: number) => void;

const CHUNK = 2_000;

/** Writes what the contacts of a file change, chunk by chunk. `tagIdOf` has the tag of each spelling in the file. */
export async function writeContacts(
  tx: Queryable,
  accountId: string,
  matches: Match<ContactEntry>[],
  tagIdOf: Map<string, string>,
  onProgress: OnProgress,
): Promise<ContactReport> {
  const done: { change: Change }[] = [];
  const activities = { created: 0 };
  const links = { created: 0 };
  while (done.length < matches.length) {
    const chunk = matches.slice(done.length, done.length + CHUNK);
    const ids = chunk.filter(({ isNew }) => !isNew).map(({ id }) => id);
    const found = await findContacts(tx, accountId, ids);
    const stored = new Map(found.map((each) => [each.contact.id, each]));
    const writes: WritableChanges = {
      inserted: [],
      updated: [],
      tags: [],
      activities: [],
      links: [],
    };
    for (const match of chunk)
      done.push({ change: planChange(match, stored.get(match.id), tagIdOf, writes) });
    await writeChanges(tx, accountId, writes);
    activities.created += writes.activities.length;
    links.created += writes.links.length;
    onProgress(done.length, matches.length);
  }
  return { contacts: countChanges(done), activities, links };
}

/** Adds what an entry changes of its contact to `writes`. */
function planChange(
  { id: contactId, entry }: Match<ContactEntry>,
  found: ContactWithDetails | undefined,
  tagIdOf: Map<string, string>,
  writes: WritableChanges,
): Change {
  const { row, change } = planContact(found?.contact, contactId, entry);
  if (change === 'created') writes.inserted.push(row);
  if (change === 'updated') writes.updated.push(row);
  const tagIds = selectNewTags(entry, found, tagIdOf);
  const activities = selectNewActivities(entry, found);
  const links = selectNewLinks(entry, found);
  for (const tagId of tagIds) writes.tags.push({ id: newId(), contactId, tagId });
  for (const each of activities) writes.activities.push({ id: newId(), contactId, ...each });
  for (const each of links) writes.links.push({ id: newId(), contactId, ...each });
  return joinChanges(change, tagIds.length + activities.length + links.length > 0);
}

function selectNewTags(
  { tags = [] }: ContactEntry,
  found: ContactWithDetails | undefined,
  tagIdOf: Map<string, string>,
): string[] {
  const known = new Set(found?.tags.map(({ tagId }) => tagId));
  const ids = new Set(tags.flatMap((label) => tagIdOf.get(label) ?? []));
  return [...ids.difference(known)];
}

// A contact can have the same activity twice. Each activity of the file stands for one that is stored, if one is left.
function selectNewActivities(
  { activities = [] }: ContactEntry,
  found: ContactWithDetails | undefined,
): Activity[] {
  const keyOf = ({ type, occurredAt, body }: Activity) => JSON.stringify([type, occurredAt, body]);
  const left = Map.groupBy(found?.activities ?? [], keyOf);
  return activities.map(parseActivity).filter((each) => left.get(keyOf(each))?.pop() === undefined);
}

function selectNewLinks(
  { links = [] }: ContactEntry,
  found: ContactWithDetails | undefined,
): Link[] {
  const keyOf = ({ projectId, unitId }: Link) => `${projectId} ${unitId}`;
  const known = new Set(found?.links.map(keyOf));
  const byKey = new Map(links.map(parseLink).map((link) => [keyOf(link), link]));
  return [...byKey].filter(([key]) => !known.has(key)).map(([, link]) => link);
}
