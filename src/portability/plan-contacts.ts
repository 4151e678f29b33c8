import {
  planContact,
  readActivity,
  readLink,
  type Activity,
  type ContactWithAll,
  type Link,
  type WritableChanges,
} from '../contacts/index.ts';
import type { Change } from '../platform/fields/index.ts';
import type { Match } from './match.ts';
import type { ContactEntry } from './schemas.ts';

export interface ContactsPlan {
  changes: WritableChanges;
  /** The change of each contact, in order. */
  planned: { change: Change }[];
}

/** Decides what some contacts of the file change. `tagIdOf` finds the tag of each spelling in the file. */
export function planContacts(
  matches: Match<ContactEntry>[],
  stored: Map<string, ContactWithAll>,
  tagIdOf: (label: string) => string,
  newId: () => string,
): ContactsPlan {
  const changes: WritableChanges = { inserted: [], updated: [], tagged: [], noted: [], linked: [] };

  function planOne({ id: contactId, entry }: Match<ContactEntry>): Change {
    const found = stored.get(contactId);
    const { row, change } = planContact(found?.contact, contactId, entry);
    if (change === 'created') changes.inserted.push(row);
    if (change === 'updated') changes.updated.push(row);
    const tagIds = selectNewTags(entry, found, tagIdOf);
    const activities = selectNewActivities(entry, found);
    const links = selectNewLinks(entry, found);
    for (const tagId of tagIds) changes.tagged.push({ id: newId(), contactId, tagId });
    for (const each of activities) changes.noted.push({ id: newId(), contactId, ...each });
    for (const each of links) changes.linked.push({ id: newId(), contactId, ...each });
    const isAddedTo = tagIds.length + activities.length + links.length > 0;
    return change === 'unchanged' && isAddedTo ? 'updated' : change;
  }

  return { changes, planned: matches.map((match) => ({ change: planOne(match) })) };
}

function selectNewTags(
  { tags = [] }: ContactEntry,
  found: ContactWithAll | undefined,
  tagIdOf: (label: string) => string,
): string[] {
  const known = new Set(found?.tags.map(({ tagId }) => tagId));
  return [...new Set(tags.map(tagIdOf))].filter((id) => !known.has(id));
}

// A contact can have the same activity twice. Each activity of the file stands for one that is stored, if one is left.
function selectNewActivities(
  { activities = [] }: ContactEntry,
  found: ContactWithAll | undefined,
): Activity[] {
  const wanted = activities.map(readActivity);
  if (found === undefined || found.activities.length === 0) return wanted;
  const left = new Map<string, number>();
  for (const each of found.activities) {
    const key = keyOfActivity(each);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return wanted.filter((each) => {
    const key = keyOfActivity(each);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function keyOfActivity({ type, occurredAt, body }: Activity): string {
  return JSON.stringify([type, occurredAt, body]);
}

function selectNewLinks({ links = [] }: ContactEntry, found: ContactWithAll | undefined): Link[] {
  const keyOf = ({ projectId, unitId }: Link) => `${projectId} ${unitId}`;
  const known = new Set(found?.links.map(keyOf));
  const byKey = new Map(links.map(readLink).map((link) => [keyOf(link), link]));
  return [...byKey].filter(([key]) => !known.has(key)).map(([, link]) => link);
}
