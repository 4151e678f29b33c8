import {
  CONTACT,
  FILLED_FIELD_OF,
  FILLED_FIELDS,
  type Activity,
  type Changes,
  type ContactStep,
  type FilledField,
} from '../contacts/index.ts';
import { compareRows, type Author } from '../events/index.ts';
import { Problem } from '../platform/http/index.ts';
import {
  addEnquiry,
  addLinks,
  addNotes,
  addTags,
  applyHistory,
  createContact,
  fillFields,
  type FoundContact,
} from './apply-lead.ts';
import type { Lead } from './lead.ts';
import {
  duplicateContacts,
  findReferenceProblem,
  preconditionFailed,
  toReferences,
  type Referable,
} from './refusals.ts';
import type { ContactImportResult } from './schemas.ts';
import type { Import, Outcome } from './submission.ts';

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
interface LeadStep extends Omit<ContactStep, 'tags' | 'importId'>, Pick<Changes, 'tags'> {
  /** The contact, which later leads may change, too. */
  contact: FoundContact;
}

/** The clock and the source of ids. */
interface PlannerOptions {
  now: Date;
  newId: () => string;
}

/**
 * Creates the function that decides the effect of imports. A lead sees the effects of all leads before it, so that a batch gives the
 * same as its leads one by one, in whatever chunks it is planned. A refused import changes nothing. The planner changes `found`.
 */
export function createPlanner(
  found: LeadContext,
  { now, newId }: PlannerOptions,
): (imports: Import[]) => Plan {
  const contactsOf = Map.groupBy(found.contacts, (contact) => contact.emailKey);
  const references = toReferences(found);
  const importedAt = now.toISOString();

  function decide({ lead, author }: Import): Accepted | Refused {
    if (lead instanceof Problem) return { outcome: lead, step: null };
    const matches = contactsOf.get(lead.emailKey) ?? [];
    const refusal = refuse(lead, matches);
    return refusal ? { outcome: refusal, step: null } : accept(lead, author, matches[0]);
  }

  function refuse(lead: Lead, matches: FoundContact[]): Problem | undefined {
    if (lead.mustBeNew && matches.length > 0) return preconditionFailed();
    const refusal = findReferenceProblem(lead, references);
    if (refusal) return refusal;
    return matches.length > 1 ? duplicateContacts(matches) : undefined;
  }

  function accept(lead: Lead, { actor }: Author, match: FoundContact | undefined): Accepted {
    const before = match && { ...match };
    const contact = match ?? createContact(newId(), lead, importedAt);
    if (!match) contactsOf.set(lead.emailKey, [contact]);
    const fields = fillFields(contact, lead, importedAt);
    if (match) applyHistory(match, lead, importedAt);
    const enquiries = match ? addEnquiry(match, lead, importedAt) : [];
    const notes = addNotes(contact, lead, importedAt);
    const tags = addTags(contact, lead);
    const links = addLinks(contact, lead);

    const contactId = contact.id;
    const toActivityRow = (activity: Activity) => ({
      id: newId(),
      contactId,
      ...activity,
      actorType: actor.type,
      actorId: actor.id,
      createdAt: importedAt,
    });
    const step = {
      contact,
      contactId,
      isNew: !match,
      ...compareRows(CONTACT, before, contact),
      activities: [...enquiries, ...notes].map(toActivityRow),
      tags: tags.map((tag) => ({ id: newId(), contactId, tag })),
      links: links.map((link) => ({ id: newId(), contactId, ...link })),
    };
    const filled = new Set<FilledField>(fields.map((field) => FILLED_FIELD_OF[field]));
    if (notes.length > 0) filled.add('notes');
    if (tags.length > 0) filled.add('contact_tags');
    const outcome: ContactImportResult = {
      action: match ? 'merged' : 'created',
      contactId,
      email: contact.email,
      matchedBy: match ? 'email' : null,
      filledFields: FILLED_FIELDS.filter((field) => filled.has(field)),
      linkedProjectId: lead.projectId,
      linkedUnitId: lead.unitId,
    };
    return { outcome, step };
  }

  return (imports) => {
    const planned = imports.map((each) => ({ ...each, ...decide(each) }));
    const steps = planned.flatMap(({ step }) => step ?? []);
    const changes = joinSteps(steps);
    for (const contact of changes.updated) contact.version += 1;
    const versions = new Map(steps.map(({ contact: { id, version } }) => [id, version]));
    return { planned, changes, versions };
  };
}

/** Lists the outcomes of the imports of plans, in order. */
export function listOutcomes(plans: Plan[]): Outcome[] {
  return plans.flatMap(({ planned }) => planned.map(({ outcome }) => outcome));
}

/** Joins the changes of several leads, so that each contact is written once. */
function joinSteps(steps: LeadStep[]) {
  const inserted = steps.filter(({ isNew }) => isNew).map(({ contact }) => contact);
  const changed = new Set(steps.filter(hasChanges).map(({ contact }) => contact));
  const redated = steps.filter(({ isNew, after }) => !isNew && 'createdAt' in after);
  return {
    inserted,
    updated: [...changed.difference(new Set(inserted))],
    tags: steps.flatMap(({ tags }) => tags),
    activities: steps.flatMap(({ activities }) => activities),
    links: steps.flatMap(({ links }) => links),
    redated: redated.map(({ contactId }) => contactId),
  };
}

function hasChanges({ before, after, tags, links, activities }: LeadStep): boolean {
  return [before, after, tags, links, activities].some((each) => Object.keys(each).length > 0);
}
