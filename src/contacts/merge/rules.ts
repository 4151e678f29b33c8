import { isEmpty } from '../rules.ts';
import {
  FILLABLE_FIELDS,
  FILLED_FIELD_OF,
  FILLED_FIELDS,
  type Contact,
  type ContactWithAll,
  type FilledField,
  type Link,
} from '../schemas.ts';

/** A value of a duplicate that the merge loses, since the remaining contact has another one. */
export interface LeftBehind {
  contactId: string;
  field: FilledField;
  value: string | number;
}

/** The effects of a merge, for the user. */
export interface MergeReport {
  /** The contact that remains. */
  contactId: string;
  email: string;
  /** As an import names them, but `notes` is the free-form field. */
  filledFields: FilledField[];
  /** Whether the remaining contact was archived and becomes active. */
  activated: boolean;
  moved: { tags: number; activities: number; links: number };
  removedContactIds: string[];
  leftBehind: LeftBehind[];
}

/** The changes that a merge writes. */
export interface MergeChanges {
  /** The remaining contact, when one of its fields changes. */
  updated: Contact[];
  movedTagIds: string[];
  movedLinkIds: string[];
  /** The duplicates. All their activities move. */
  removedIds: string[];
}

/** The contacts cannot be merged. The message is one line and names contacts by their ids. */
export class MergeError extends Error {}

/**
 * Decides the effects of merging duplicates into one contact. Duplicates fill its empty fields in the order of
 * `duplicateIds`. Throws a MergeError when the contacts cannot be merged.
 */
export function planMerge(
  remainingId: string,
  duplicateIds: string[],
  found: ContactWithAll[],
): { report: MergeReport; changes: MergeChanges } {
  const { remaining, duplicates } = chooseContacts(remainingId, duplicateIds, found);
  const { contact, filledFields, leftBehind } = fillFields(remaining, duplicates);
  const activated =
    contact.archivedAt !== null && duplicates.some((each) => each.contact.archivedAt === null);
  if (activated) contact.archivedAt = null;
  const tags = duplicates.flatMap((each) => each.tags);
  const links = duplicates.flatMap((each) => each.links);
  const movedTagIds = findMovedRows(tags, remaining.tags, ({ tagId }) => tagId);
  const movedLinkIds = findMovedRows(links, remaining.links, keyOfLink);
  return {
    report: {
      contactId: remainingId,
      email: contact.email,
      filledFields,
      activated,
      moved: {
        tags: movedTagIds.length,
        activities: duplicates.flatMap(({ activities }) => activities).length,
        links: movedLinkIds.length,
      },
      removedContactIds: duplicateIds,
      leftBehind,
    },
    changes: {
      updated: activated || filledFields.length > 0 ? [contact] : [],
      movedTagIds,
      movedLinkIds,
      removedIds: duplicateIds,
    },
  };
}

function chooseContacts(
  remainingId: string,
  duplicateIds: string[],
  found: ContactWithAll[],
): { remaining: ContactWithAll; duplicates: ContactWithAll[] } {
  const ids = [remainingId, ...duplicateIds];
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new MergeError(`contact ${twice} is named twice`);
  const byId = new Map(found.map((each) => [each.contact.id, each]));
  const unknown = ids.filter((id) => !byId.has(id));
  const remaining = byId.get(remainingId);
  if (remaining === undefined || unknown.length > 0)
    throw new MergeError(`the account has no contact ${unknown.join(', ')}`);
  const duplicates = duplicateIds.flatMap((id) => byId.get(id) ?? []);
  refuseOtherEmails(remaining, duplicates);
  return { remaining, duplicates };
}

function refuseOtherEmails(remaining: ContactWithAll, duplicates: ContactWithAll[]): void {
  const { id: remainingId, emailKey } = remaining.contact;
  const others = duplicates.filter(({ contact }) => contact.emailKey !== emailKey);
  if (others.length === 0) return;
  const ids = others.map(({ contact }) => contact.id).join(', ');
  const have = others.length === 1 ? `contact ${ids} has` : `contacts ${ids} have`;
  throw new MergeError(`${have} a different email from ${remainingId}, which a merge would lose`);
}

/** Fills the empty fields of the remaining contact, and lists the values that the merge loses. */
function fillFields(remaining: ContactWithAll, duplicates: ContactWithAll[]) {
  const contact = { ...remaining.contact };
  const filled = new Set<FilledField>();
  const leftBehind: LeftBehind[] = [];
  for (const { contact: duplicate } of duplicates)
    for (const field of FILLABLE_FIELDS) {
      const value = duplicate[field];
      const name = FILLED_FIELD_OF[field];
      if (isEmpty(value) || value === contact[field]) continue;
      if (isEmpty(contact[field])) {
        Object.assign(contact, { [field]: value });
        filled.add(name);
      } else leftBehind.push({ contactId: duplicate.id, field: name, value });
    }
  return { contact, filledFields: FILLED_FIELDS.filter((field) => filled.has(field)), leftBehind };
}

const keyOfLink = ({ projectId, unitId }: Link) => `${projectId} ${unitId}`;

/** Finds the oldest row of each key that the remaining contact lacks. */
function findMovedRows<Row extends { id: string }>(
  rows: Row[],
  remaining: Row[],
  keyOf: (row: Row) => string,
): string[] {
  const newestFirst = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const oldestOfKey = new Map(newestFirst.map((row) => [keyOf(row), row.id]));
  for (const row of remaining) oldestOfKey.delete(keyOf(row));
  return [...oldestOfKey.values()];
}
