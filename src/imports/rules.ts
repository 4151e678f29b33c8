import {
  CONTACT,
  type Activity,
  type Changes,
  type ContactStep,
  createEmptyContact,
  FILLABLE_FIELDS,
  FILLED_FIELD_OF,
  type Contact,
  FILLED_FIELDS,
  isEmpty,
  makeEnquiry,
  type FilledField,
} from '../contacts/index.ts';
import { compareRows, type Author } from '../events/index.ts';
import { Problem } from '../platform/http/index.ts';
import type { Lead } from './lead.ts';
import type { ContactImportResult } from './schemas.ts';
import type { Import } from './submission.ts';
import { offerValues, findOtherValues, isSameValues } from './planned-values.ts';
import {
  toReferences,
  findReferenceProblem,
  preconditionFailed,
  duplicateContacts,
  type Referable,
} from './refusals.ts';

/** A stored contact with the tags, links and latest note that the rules look at. */
export interface FoundContact extends Contact {
  version: number;
  tagKeys: string[];
  links: { projectId: string; unitId: string | null }[];
  /** The text of the latest activity that is not an enquiry. */
  latestNote: string | null;
  /** For leads of files, the notes that the contact already has. */
  knownNotes: string[];
  /** The values of the latest enquiry, or of all enquiries for a lead of a file. */
  enquiries: Record<string, string>[];
}

/** Everything that the rules need from the database for a batch of leads. */
export interface LeadContext extends Referable {
  /** The contacts with the emails of the leads, in the order of their ids. */
  contacts: FoundContact[];
  /** The ids of existing tags by their keys. */
  tagIds: Map<string, string>;
}

/** Imports with their outcomes, in order, and all changes to write for them. */
export interface Plan {
  planned: PlannedImport[];
  changes: Changes;
  /** The versions that the contacts of accepted imports will have, by their ids. */
  versions: Map<string, number>;
}

/** An import with its outcome and the changes to its contact. */
export type PlannedImport = Import & (Accepted | Refused);

interface Accepted {
  outcome: ContactImportResult;
  step: LeadStep;
}

interface Refused {
  outcome: Problem;
  step: null;
}

/** The changes by a lead to its contact. Its tags may have no ids yet. */
type LeadStep = Omit<ContactStep, 'tags' | 'importId'> & Pick<Changes, 'tags'>;

/** The clock and the source of ids. */
interface PlannerOptions {
  now: Date;
  newId: () => string;
}

/**
 * Creates the function that decides the effect of imports: every rule of the import is here. A lead sees the effects of all
 * leads before it, so that a batch gives the same as its leads one by one, in whatever chunks it is planned. A refused import
 * changes nothing. The planner changes `found`.
 */
export function createPlanner(
  found: LeadContext,
  { now, newId }: PlannerOptions,
): (imports: Import[]) => Plan {
  const byEmail = Map.groupBy(found.contacts, (contact) => contact.emailKey);
  const known = toReferences(found);
  let changes = noChanges();
  let changed = new Set<FoundContact>();
  let accepted = new Set<FoundContact>();
  const tagsOf = new Map<FoundContact, Set<string>>();
  const importedAt = now.toISOString();

  function decide({ lead, author }: Import): Accepted | Refused {
    if (lead instanceof Problem) return { outcome: lead, step: null };
    const refusal = refuse(lead);
    return refusal ? { outcome: refusal, step: null } : accept(lead, author);
  }

  function refuse(lead: Lead): Problem | undefined {
    const matches = byEmail.get(lead.emailKey) ?? [];
    if (lead.mustBeNew && matches.length > 0) return preconditionFailed();
    const refusal = findReferenceProblem(lead, known);
    if (refusal) return refusal;
    return matches.length > 1 ? duplicateContacts(matches) : undefined;
  }

  function accept(lead: Lead, author: Author): Accepted {
    const match = byEmail.get(lead.emailKey)?.[0];
    const before = match && { ...match };
    const { tags, links, activities } = changes;
    const lengthsBefore = { tags: tags.length, links: links.length, activities: activities.length };
    const contact = match ?? createContact(lead);
    accepted.add(contact);
    const filled = new Set<FilledField>(fillFields(contact, lead));
    if (match) applyHistory(contact, lead);
    if (match) addEnquiry(contact, lead, author);
    if (addNotes(contact, lead, author)) filled.add('notes');
    if (addTags(contact, lead)) filled.add('contact_tags');
    addLink(contact, lead);
    const step = {
      contactId: contact.id,
      isNew: !match,
      ...compareRows(CONTACT, before, contact),
      tags: tags.slice(lengthsBefore.tags),
      links: links.slice(lengthsBefore.links),
      activities: activities.slice(lengthsBefore.activities),
    };
    const outcome: ContactImportResult = {
      action: match ? 'merged' : 'created',
      contactId: contact.id,
      email: contact.email,
      matchedBy: match ? 'email' : null,
      filledFields: FILLED_FIELDS.filter((field) => filled.has(field)),
      linkedProjectId: lead.projectId,
      linkedUnitId: lead.unitId,
    };
    return { outcome, step };
  }

  /**
   * Restores an archived contact, unless its lead is archived, too. Takes the time of creation from the lead when it is earlier.
   */
  function applyHistory(contact: FoundContact, { history }: Lead): void {
    // When a file is imported again, the contacts that it has archived stay archived.
    if (contact.archivedAt !== null && !history?.isArchived) touch(contact).archivedAt = null;
    const createdAt = history?.createdAt ?? null;
    const isEarlier = createdAt !== null && createdAt < (contact.createdAt ?? importedAt);
    if (!isEarlier) return;
    touch(contact).createdAt = createdAt;
    changes.redated.push(contact.id);
  }

  function createContact({ email, emailKey, history }: Lead): FoundContact {
    const more = {
      version: 1,
      tagKeys: [],
      links: [],
      latestNote: null,
      knownNotes: [],
      enquiries: [],
    };
    const contact = Object.assign(createEmptyContact({ id: newId(), email, emailKey }), more);
    contact.createdAt = history?.createdAt ?? importedAt;
    if (history?.isArchived) contact.archivedAt = importedAt;
    byEmail.set(emailKey, [contact]);
    changes.inserted.push(contact);
    changed.add(contact);
    return contact;
  }

  /** Marks a contact to be written, so that its version counts a change of its fields, notes, tags or links. */
  function touch(contact: FoundContact): FoundContact {
    if (changed.has(contact)) return contact;
    contact.version += 1;
    changes.updated.push(contact);
    changed.add(contact);
    return contact;
  }

  function fillFields(contact: FoundContact, lead: Lead): FilledField[] {
    const offered = offerValues(contact, lead, importedAt);
    const fields = FILLABLE_FIELDS.filter(
      (field) => offered[field] != null && isEmpty(contact[field]),
    );
    for (const field of fields) Object.assign(touch(contact), { [field]: offered[field] });
    return fields.map((field) => FILLED_FIELD_OF[field]);
  }

  function addNotes(contact: FoundContact, lead: Lead, author: Author): boolean {
    const added = lead.notes.filter((body) => addNote(contact, body, lead, author));
    return added.length > 0;
  }

  function addNote(
    contact: FoundContact,
    body: string,
    { isOfFile, history }: Lead,
    author: Author,
  ): boolean {
    if (body === contact.latestNote) return false;
    if (isOfFile && contact.knownNotes.includes(body)) return false;
    if (isOfFile) contact.knownNotes.push(body);
    touch(contact).latestNote = body;
    addActivity(contact, author, {
      type: 'note',
      body,
      occurredAt: history?.noteDate ?? importedAt,
    });
    return true;
  }

  /** Adds an enquiry with the values of a lead that differ from those of the contact, unless the latest enquiry has the same. */
  function addEnquiry(contact: FoundContact, lead: Lead, author: Author): void {
    const values = findOtherValues(contact, lead);
    if (Object.keys(values).length === 0) return;
    const known = lead.isOfFile ? contact.enquiries : contact.enquiries.slice(0, 1);
    if (known.some((each) => isSameValues(each, values))) return;
    touch(contact).enquiries.unshift(values);
    addActivity(contact, author, makeEnquiry(values, importedAt));
  }

  function addActivity(contact: FoundContact, { actor }: Author, activity: Activity): void {
    changes.activities.push({
      id: newId(),
      contactId: contact.id,
      ...activity,
      actorType: actor.type,
      actorId: actor.id,
      createdAt: importedAt,
    });
  }

  function addTags(contact: FoundContact, lead: Lead): boolean {
    const present = readTagKeys(contact);
    const tags = lead.tags.filter(({ key }) => !present.has(key));
    if (tags.length > 0) touch(contact);
    for (const each of tags) {
      present.add(each.key);
      changes.tags.push({ id: newId(), contactId: contact.id, tag: each });
    }
    return tags.length > 0;
  }

  /** Returns the keys of the tags of a contact, as a Set: a batch can give tens of thousands of tags to one contact. */
  function readTagKeys(contact: FoundContact): Set<string> {
    const known = tagsOf.get(contact) ?? new Set(contact.tagKeys);
    tagsOf.set(contact, known);
    return known;
  }

  function addLink(contact: FoundContact, lead: Lead): void {
    if (lead.projectId === null) return;
    const wanted = { projectId: lead.projectId, unitId: lead.unitId };
    const isLinked = contact.links.some(
      ({ projectId, unitId }) => projectId === wanted.projectId && unitId === wanted.unitId,
    );
    if (isLinked) return;
    touch(contact).links.push(wanted);
    changes.links.push({ id: newId(), contactId: contact.id, ...wanted });
  }

  return (imports) => {
    changes = noChanges();
    changed = new Set();
    accepted = new Set();
    const planned = imports.map((each) => ({ ...each, ...decide(each) }));
    const versions = new Map(Array.from(accepted, ({ id, version }) => [id, version]));
    return { planned, changes, versions };
  };
}

function noChanges(): Changes {
  return { inserted: [], updated: [], tags: [], activities: [], links: [], redated: [] };
}
