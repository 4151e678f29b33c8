import {
  createEmptyContact,
  FILLABLE_FIELDS,
  isEmpty,
  makeEnquiry,
  type Activity,
  type Contact,
  type FillableField,
  type Label,
  type Link,
} from '../contacts/index.ts';
import type { Lead } from './lead.ts';
import { findDifferentValues, isSameValues, offerValues } from './lead-values.ts';

/*
 * The rules of a lead and its contact. Each function changes the contact, so that later leads of the batch see it, and returns what
 * it has added. It adds nothing that the contact has already.
 */

/** A contact with the tags, links and notes that the rules look at. */
export interface FoundContact extends Contact {
  version: number;
  tagKeys: Set<string>;
  links: Link[];
  /** The text of the latest activity that is not an enquiry. */
  latestNote: string | null;
  /** For leads of files, the notes that the contact already has. */
  knownNotes: string[];
  /** The values of the latest enquiry, or of all enquiries for a lead of a file. */
  enquiries: Record<string, string>[];
}

/** Creates the contact of a lead that matches none. It has no values of the lead yet. */
export function createContact(
  id: string,
  { email, emailKey, history }: Lead,
  importedAt: string,
): FoundContact {
  return {
    ...createEmptyContact({ id, email, emailKey }),
    createdAt: history?.createdAt ?? importedAt,
    archivedAt: history?.isArchived ? importedAt : null,
    version: 1,
    tagKeys: new Set(),
    links: [],
    latestNote: null,
    knownNotes: [],
    enquiries: [],
  };
}

/** Fills the empty fields for which the lead has a value. */
export function fillFields(contact: FoundContact, lead: Lead, importedAt: string): FillableField[] {
  const offered = offerValues(contact, lead, importedAt);
  const fields = FILLABLE_FIELDS.filter(
    (field) => offered[field] != null && isEmpty(contact[field]),
  );
  for (const field of fields) Object.assign(contact, { [field]: offered[field] });
  return fields;
}

/** Restores an archived contact, unless its lead is archived, too. Takes the lead's time of creation when it is earlier. */
export function applyHistory(contact: FoundContact, { history }: Lead, importedAt: string): void {
  // When a file is imported again, the contacts that it has archived stay archived.
  if (!history?.isArchived) contact.archivedAt = null;
  const createdAt = history?.createdAt ?? null;
  if (createdAt !== null && createdAt < (contact.createdAt ?? importedAt))
    contact.createdAt = createdAt;
}

/** Adds an enquiry with the values of the lead that differ from those of the contact. */
export function addEnquiry(contact: FoundContact, lead: Lead, importedAt: string): Activity[] {
  const values = findDifferentValues(contact, lead);
  if (Object.keys(values).length === 0) return [];
  const known = lead.isOfFile ? contact.enquiries : contact.enquiries.slice(0, 1);
  if (known.some((each) => isSameValues(each, values))) return [];
  contact.enquiries.unshift(values);
  return [makeEnquiry(values, importedAt)];
}

/** Adds notes. A lead over HTTP compares each with the latest one only. */
export function addNotes(
  contact: FoundContact,
  { notes, isOfFile, history }: Lead,
  importedAt: string,
): Activity[] {
  const added = notes.filter((body) => {
    const isKnown = body === contact.latestNote || (isOfFile && contact.knownNotes.includes(body));
    if (isKnown) return false;
    contact.latestNote = body;
    if (isOfFile) contact.knownNotes.push(body);
    return true;
  });
  const occurredAt = history?.noteDate ?? importedAt;
  return added.map((body) => ({ type: 'note', body, occurredAt }));
}

/** Returns the labels that the contact does not have yet, and adds them to its tags in memory. */
export function addTags({ tagKeys }: FoundContact, lead: Lead): Label[] {
  const added = lead.tags.filter(({ key }) => !tagKeys.has(key));
  for (const { key } of added) tagKeys.add(key);
  return added;
}

/** Adds the link that the lead asks for. */
export function addLinks({ links }: FoundContact, { projectId, unitId }: Lead): Link[] {
  if (projectId === null) return [];
  if (links.some((each) => each.projectId === projectId && each.unitId === unitId)) return [];
  const link = { projectId, unitId };
  links.push(link);
  return [link];
}
