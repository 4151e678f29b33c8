import {
  emptyContact,
  type Contact,
  type ContactWithAll,
  type WritableChanges,
} from '../contacts/index.ts';
import { emailKey } from '../platform/text/index.ts';
import { CONTACT_FIELDS, type MatchedContact } from './contacts.ts';
import { differs, given } from './given.ts';
import type { ContactEntry } from './schema.ts';
import type { Change } from './settle.ts';

type Activity = ContactWithAll['activities'][number];
type Link = ContactWithAll['links'][number];

export interface ContactPlan {
  changes: WritableChanges;
  /** What becomes of each contact, in order. */
  fates: { change: Change }[];
}

/** Decides what some contacts of the file change. `tagIdOf` knows each label as the file writes it. */
export function planContacts(
  matched: MatchedContact[],
  stored: Map<string, ContactWithAll>,
  tagIdOf: (label: string) => string,
  newId: () => string,
): ContactPlan {
  const changes: WritableChanges = { inserted: [], updated: [], tagged: [], noted: [], linked: [] };

  function planOne({ id, entry }: MatchedContact): Change {
    const found = stored.get(id);
    const contactId = id;
    const change = given<Contact>(entry, CONTACT_FIELDS);
    const isOwnChanged = found === undefined || differs(found.contact, change);
    if (isOwnChanged) {
      const contact = { ...(found?.contact ?? emptyContact(id, '')), ...change };
      const rows = found === undefined ? changes.inserted : changes.updated;
      rows.push({ ...contact, emailKey: emailKey(contact.email) });
    }
    const tagIds = newTagIds(entry, found, tagIdOf);
    const activities = newActivities(entry, found);
    const links = newLinks(entry, found);
    for (const tagId of tagIds) changes.tagged.push({ id: newId(), contactId, tagId });
    for (const each of activities) changes.noted.push({ id: newId(), contactId, ...each });
    for (const each of links) changes.linked.push({ id: newId(), contactId, ...each });
    if (found === undefined) return 'created';
    const isAdded = tagIds.size + activities.length + links.length > 0;
    return isOwnChanged || isAdded ? 'updated' : 'unchanged';
  }

  return { changes, fates: matched.map((each) => ({ change: planOne(each) })) };
}

function newTagIds(
  { tags = [] }: ContactEntry,
  found: ContactWithAll | undefined,
  tagIdOf: (label: string) => string,
): Set<string> {
  const ids = new Set(tags.map(tagIdOf));
  for (const id of found?.tagIds ?? []) ids.delete(id);
  return ids;
}

// A contact may have the same activity twice; each in the file stands for one that is there, if any is left.
function newActivities(
  { activities = [] }: ContactEntry,
  found: ContactWithAll | undefined,
): Activity[] {
  const there = new Map<string, number>();
  for (const each of found?.activities ?? []) {
    const key = JSON.stringify([each.type, each.occurredAt, each.body]);
    there.set(key, (there.get(key) ?? 0) + 1);
  }
  const wanted = activities.map(
    (each): Activity =>
      ({
        type: 'note',
        ...given<Activity>(each, ['body', 'occurredAt']),
      }) as Activity,
  );
  if (there.size === 0) return wanted;
  return wanted.filter(({ type, body, occurredAt }) => {
    const key = JSON.stringify([type, occurredAt, body]);
    const left = there.get(key) ?? 0;
    there.set(key, left - 1);
    return left <= 0;
  });
}

function newLinks({ links = [] }: ContactEntry, found: ContactWithAll | undefined): Link[] {
  const there = new Set(found?.links.map(keyOfLink));
  return links.flatMap((each): Link[] => {
    const link = { unitId: null, ...given<Link>(each, ['projectId', 'unitId']) } as Link;
    const key = keyOfLink(link);
    if (there.has(key)) return [];
    there.add(key);
    return [link];
  });
}

function keyOfLink({ projectId, unitId }: Link): string {
  return `${projectId} ${unitId}`;
}
