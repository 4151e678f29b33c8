import type { Principal } from '../../access/index.ts';
import { emptyBlanks } from '../../platform/fields/index.ts';
import { Problem, type FieldFault } from '../../platform/http/index.ts';
import { LABEL_RULE, parseLabel, planContact } from '../rules.ts';
import type { Contact, Label, Link, RowOfContact } from '../schemas.ts';
import type { ContactChanges } from './schemas.ts';

/** A tag of a contact, with its label. */
export type ContactTag = RowOfContact<{ tagId: string; label: string; labelKey: string }>;

/** A contact with the rows that an edit can change. */
export interface EditableContact {
  contact: Contact;
  version: number;
  tags: ContactTag[];
  links: RowOfContact<Link>[];
}

/** The result of an edit of a contact. */
export interface Edit {
  before: EditableContact;
  after: Contact;
  addedTags: Label[];
  removedTags: ContactTag[];
  addedLinks: RowOfContact<Link>[];
  removedLinks: RowOfContact<Link>[];
}

/** Makes an edit that changes nothing. */
export function planNothing(before: EditableContact): Edit {
  const none = { addedTags: [], removedTags: [], addedLinks: [], removedLinks: [] };
  return { before, after: before.contact, ...none };
}

/** Whether an edit leaves the fields, tags and links of its contact as they are. */
export function changesNothing({ before, after, ...lists }: Edit): boolean {
  const isSame = JSON.stringify(before.contact) === JSON.stringify(after);
  return isSame && Object.values(lists).every((list) => list.length === 0);
}

/** Plans a change of fields. A blank text empties its field. */
export function planChanges(before: EditableContact, changes: ContactChanges): Edit {
  const { contact } = before;
  const { row: after } = planContact(contact, contact.id, emptyBlanks(changes));
  return { ...planNothing(before), after };
}

/** Plans to archive a contact, or to make it active. The edit changes nothing when the contact is so already. */
export function planArchive(before: EditableContact, archivedAt: string | null): Edit {
  const isUnchanged = (before.contact.archivedAt === null) === (archivedAt === null);
  return isUnchanged
    ? planNothing(before)
    : { ...planNothing(before), after: { ...before.contact, archivedAt } };
}

/** Plans a change of tags: adds those that the contact lacks, and removes those that it has. A tag in both lists stays. */
export function planTags(before: EditableContact, add: Label[], removeIds: string[]): Edit {
  const removed = new Set(removeIds.map((id) => id.toLowerCase()));
  const added = new Set(add.map(({ key }) => key));
  const known = new Set(before.tags.map(({ labelKey }) => labelKey));
  return {
    ...planNothing(before),
    addedTags: add.filter(({ key }) => !known.has(key)),
    removedTags: before.tags.filter(
      ({ tagId, labelKey }) => removed.has(tagId) && !added.has(labelKey),
    ),
  };
}

/** Parses labels, and drops repeated ones. `pointer` is the place of the list in the body. */
export function readLabels(
  texts: string[],
  pointer: string,
): { labels: Label[]; faults: FieldFault[] } {
  const labels = new Map<string, Label>();
  const faults: FieldFault[] = [];
  for (const [index, text] of texts.entries()) {
    const label = parseLabel(text);
    if (label === null)
      faults.push({
        pointer: `${pointer}/${index}`,
        detail: `Each item of ${pointer.slice(1)} ${LABEL_RULE}`,
      });
    else if (!labels.has(label.key)) labels.set(label.key, label);
  }
  return { labels: [...labels.values()], faults };
}

/** Finds the refusal of an agent who assigns a contact to somebody else. */
export function findForbiddenAssignment(
  { role, actor }: Pick<Principal, 'role' | 'actor'>,
  userId: string | null | undefined,
): Problem | undefined {
  if (role !== 'agent' || userId == null || userId.toLowerCase() === actor.id) return undefined;
  return new Problem(
    'assignment_not_allowed',
    'An agent can assign a contact to themselves (assignedAccountUserId: their own id) or to nobody (null).',
  );
}

/** Throws when an agent assigns a contact to somebody else. */
export function requireAssignable(principal: Principal, userId: string | null | undefined): void {
  const refusal = findForbiddenAssignment(principal, userId);
  if (refusal !== undefined) throw refusal;
}
