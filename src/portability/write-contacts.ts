import {
  findContacts,
  planContact,
  parseActivity,
  parseLink,
  writeChanges,
  type Activity,
  type FullContact,
  type Link,
  type WritableChanges,
} from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { Change } from '../platform/fields/index.ts';
import { newId } from '../platform/text/index.ts';
import type { MatchedEntry } from './entries.ts';
import { countChanges, joinChanges, type ChangeCounts } from './plan-rows.ts';
import type { ContactEntry } from './schemas.ts';

export interface ContactReport {
  contacts: ChangeCounts;
  activities: { created: number };
  links: { created: number };
}

/** Receives the number of contacts that the load has written, and the number of all contacts. */
export type OnProgress = (done: number, total: number) => void;

const CHUNK_MAX_CONTACTS = 2_000;

/** Plans and writes the contacts of a file, chunk by chunk. `tagIdOf` has the tag id of each spelling in the file. */
export async function writeContacts(
  tx: Queryable,
  accountId: string,
  matches: MatchedEntry<ContactEntry>[],
  tagIdOf: Map<string, string>,
  onProgress: OnProgress,
): Promise<ContactReport> {
  const planned: { change: Change }[] = [];
  const activities = { created: 0 };
  const links = { created: 0 };
  while (planned.length < matches.length) {
    const chunk = matches.slice(planned.length, planned.length + CHUNK_MAX_CONTACTS);
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
      planned.push({ change: planChange(match, stored.get(match.id), tagIdOf, writes) });
    await writeChanges(tx, accountId, writes);
    activities.created += writes.activities.length;
    links.created += writes.links.length;
    onProgress(planned.length, matches.length);
  }
  return { contacts: countChanges(planned), activities, links };
}

/** Plans the changes of one contact, and adds them to `writes`. */
function planChange(
  { id: contactId, entry }: MatchedEntry<ContactEntry>,
  found: FullContact | undefined,
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
  found: FullContact | undefined,
  tagIdOf: Map<string, string>,
): string[] {
  const existingTagIds = new Set(found?.tags.map(({ tagId }) => tagId));
  const ids = new Set(tags.flatMap((label) => tagIdOf.get(label) ?? []));
  return [...ids.difference(existingTagIds)];
}

// A contact can have the same activity several times: match each activity of the file with one stored activity.
function selectNewActivities(
  { activities = [] }: ContactEntry,
  found: FullContact | undefined,
): Activity[] {
  const toKey = ({ type, occurredAt, body }: Activity) => JSON.stringify([type, occurredAt, body]);
  const unmatchedActivities = Map.groupBy(found?.activities ?? [], toKey);
  return activities
    .map(parseActivity)
    .filter((each) => unmatchedActivities.get(toKey(each))?.pop() === undefined);
}

function selectNewLinks({ links = [] }: ContactEntry, found: FullContact | undefined): Link[] {
  const toKey = ({ projectId, unitId }: Link) => `${projectId} ${unitId}`;
  const existingKeys = new Set(found?.links.map(toKey));
  const linkOfKey = new Map(links.map(parseLink).map((link) => [toKey(link), link]));
  return [...linkOfKey].filter(([key]) => !existingKeys.has(key)).map(([, link]) => link);
}
