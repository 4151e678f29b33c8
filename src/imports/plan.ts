import {
  type Changes,
  emptyContact,
  FILLABLE_FIELDS,
  FILLED_FIELD_OF,
  type Contact,
  type FillableField,
  FILLED_FIELDS,
  type FilledField,
} from '../contacts/index.ts';
import { isBlank } from '../platform/text/index.ts';
import type { Problem } from '../platform/http/index.ts';
import type { Lead } from './lead.ts';
import { duplicates, references, refuseReferences } from './refusals.ts';
import type { ContactImportResult } from './schemas.ts';

/** A contact with what hangs on it, as far as an import needs to know. */
export interface FoundContact extends Contact {
  emailKey: string;
  tagKeys: string[];
  links: { projectId: string; unitId: string | null }[];
  /** The body of the latest activity. */
  latestNote: string | null;
}

/** What the database holds of what a batch of leads names. */
export interface Found {
  /** In the order of their ids. */
  contacts: FoundContact[];
  liveProjectIds: string[];
  /** Units that can be linked: not withdrawn ones. */
  units: { id: string; projectId: string }[];
  activeUserIds: string[];
  /** The ids of those tags that the account has, by their keys. */
  tagIds: Record<string, string>;
}

/** For each lead, in order, what its request is answered with; and all that is to be written for them. */
export interface Plan {
  outcomes: (ContactImportResult | Problem)[];
  changes: Changes;
}

/** Where time and ids come from. */
export interface Givens {
  now: Date;
  newId: () => string;
}

/**
 * Decides what leads do: every rule of the import is here. A lead sees what all do that were planned before it, so that
 * a batch gives what its leads would give one by one, in however many pieces it is planned. A refused lead changes
 * nothing. `found` is for the planner to keep.
 */
export function createPlanner(found: Found, { now, newId }: Givens): (leads: Lead[]) => Plan {
  const byEmail = Map.groupBy(found.contacts, (contact) => contact.emailKey);
  const known = references(found);
  let changes = noChanges();
  let changed = new Set<FoundContact>();
  const tagsOf = new Map<FoundContact, Set<string>>();
  const importedAt = now.toISOString();

  function importOne(lead: Lead): ContactImportResult | Problem {
    const refusal = refuseReferences(lead, known);
    if (refusal) return refusal;
    const matches = byEmail.get(lead.emailKey) ?? [];
    if (matches.length > 1) return duplicates(matches);
    const match = matches[0];
    const contact = match ?? create(lead);
    const filled = new Set<FilledField>(fill(contact, lead));
    if (contact.archivedAt !== null) touch(contact).archivedAt = null;
    if (note(contact, lead)) filled.add('notes');
    if (tag(contact, lead)) filled.add('contact_tags');
    link(contact, lead);
    return {
      action: match ? 'merged' : 'created',
      contactId: contact.id,
      email: contact.email,
      matchedBy: match ? 'email' : null,
      filledFields: FILLED_FIELDS.filter((field) => filled.has(field)),
      linkedProjectId: lead.projectId,
      linkedUnitId: lead.unitId,
    };
  }

  function create({ email, emailKey }: Lead): FoundContact {
    // V8 gives a copy by `...` with more fields than its source four times the memory.
    const more = { emailKey, tagKeys: [], links: [], latestNote: null };
    const contact = Object.assign(emptyContact(newId(), email), more);
    byEmail.set(emailKey, [contact]);
    changes.inserted.push(contact);
    changed.add(contact);
    return contact;
  }

  function touch(contact: FoundContact): FoundContact {
    if (!changed.has(contact)) changes.updated.push(contact);
    changed.add(contact);
    return contact;
  }

  function fill(contact: FoundContact, lead: Lead): FilledField[] {
    const offered = offer(contact, lead, importedAt);
    const fields = FILLABLE_FIELDS.filter(
      (field) => offered[field] != null && isEmpty(contact[field]),
    );
    for (const field of fields) Object.assign(touch(contact), { [field]: offered[field] });
    return fields.map((field) => FILLED_FIELD_OF[field]);
  }

  function note(contact: FoundContact, lead: Lead): boolean {
    if (lead.note === null || lead.note === contact.latestNote) return false;
    contact.latestNote = lead.note;
    changes.noted.push({
      id: newId(),
      contactId: contact.id,
      type: 'note',
      body: lead.note,
      occurredAt: importedAt,
    });
    return true;
  }

  function tag(contact: FoundContact, lead: Lead): boolean {
    const linked = linkedTags(contact);
    const tags = lead.tags.filter(({ key }) => !linked.has(key));
    for (const each of tags) {
      linked.add(each.key);
      changes.tagged.push({ id: newId(), contactId: contact.id, tag: each });
    }
    return tags.length > 0;
  }

  // A set: a batch can give one contact tens of thousands.
  function linkedTags(contact: FoundContact): Set<string> {
    const known = tagsOf.get(contact) ?? new Set(contact.tagKeys);
    tagsOf.set(contact, known);
    return known;
  }

  function link(contact: FoundContact, lead: Lead): void {
    if (lead.projectId === null) return;
    const wanted = { projectId: lead.projectId, unitId: lead.unitId };
    const there = contact.links.some(
      ({ projectId, unitId }) => projectId === wanted.projectId && unitId === wanted.unitId,
    );
    if (there) return;
    contact.links.push(wanted);
    changes.linked.push({ id: newId(), contactId: contact.id, ...wanted });
  }

  return (leads) => {
    changes = noChanges();
    changed = new Set();
    return { outcomes: leads.map(importOne), changes };
  };
}

function noChanges(): Changes {
  return { inserted: [], updated: [], tagged: [], noted: [], linked: [] };
}

function isEmpty(value: Contact[FillableField]): boolean {
  return typeof value !== 'number' && isBlank(value);
}

/** What a lead offers to the empty fields of a contact. */
function offer(
  contact: Contact,
  lead: Lead,
  importedAt: string,
): Partial<Pick<Contact, FillableField>> {
  const withSource = isEmpty(contact.source);
  return {
    ...lead.fields,
    stage: 'New',
    source: lead.source,
    sourceExternalOriginalName: withSource ? lead.sourceLabel : lead.sentLabel,
    importedAt,
    assignedAccountUserId: lead.assignedAccountUserId,
  };
}
