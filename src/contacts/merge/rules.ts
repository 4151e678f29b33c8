import { isBlank } from '../../platform/text/index.ts';
import { FILLED_FIELD_OF, FILLED_FIELDS, type Contact, type FilledField } from '../schemas.ts';

export type KeyedContact = Contact & { emailKey: string };

/** A contact with the rows that belong to it. */
export interface MergingContact {
  contact: KeyedContact;
  tags: { id: string; tagId: string }[];
  links: { id: string; projectId: string; unitId: string | null }[];
  /** The number of its activities. */
  activities: number;
}

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
  /** The names and their order are those of an import's `filledFields`; `notes` is the free-form field. */
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
  updated: KeyedContact[];
  movedTags: { contactId: string; tagId: string }[];
  movedLinkIds: string[];
  /** The duplicates. All their activities move. */
  removedIds: string[];
}

/** The contacts cannot be merged. The message is one line and names contacts by their ids. */
export class MergeError extends Error {}

type MergedField = keyof typeof NAME_OF;

const NAME_OF = { ...FILLED_FIELD_OF, notes: 'notes' } as const;
const MERGED_FIELDS = (Object.keys(NAME_OF) as MergedField[]).toSorted(
  (a, b) => FILLED_FIELDS.indexOf(NAME_OF[a]) - FILLED_FIELDS.indexOf(NAME_OF[b]),
);

/**
 * Decides the effects of merging duplicates into one contact. Duplicates fill its empty fields in the order of
 * `duplicateIds`. Throws a MergeError when the contacts cannot be merged.
 */
export function planMerge(
  keepId: string,
  duplicateIds: string[],
  found: MergingContact[],
): { report: MergeReport; changes: MergeChanges } {
  const { kept, duplicates } = chooseContacts(keepId, duplicateIds, found);
  const { contact, filledFields, leftBehind } = fillFields(kept, duplicates);
  const activated =
    contact.archivedAt !== null && duplicates.some((each) => each.contact.archivedAt === null);
  if (activated) contact.archivedAt = null;
  const tags = findMovedTags(kept, duplicates);
  const links = findMovedLinks(kept, duplicates);
  const activities = duplicates.reduce((sum, each) => sum + each.activities, 0);
  return {
    report: {
      contactId: keepId,
      email: contact.email,
      filledFields,
      activated,
      moved: { tags: tags.length, activities, links: links.length },
      removedContactIds: duplicateIds,
      leftBehind,
    },
    changes: {
      updated: activated || filledFields.length > 0 ? [contact] : [],
      movedTags: tags.map(({ contactId, tagId }) => ({ contactId, tagId })),
      movedLinkIds: links.map(({ id }) => id),
      removedIds: duplicateIds,
    },
  };
}

function chooseContacts(
  keepId: string,
  duplicateIds: string[],
  found: MergingContact[],
): { kept: MergingContact; duplicates: MergingContact[] } {
  const ids = [keepId, ...duplicateIds];
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new MergeError(`contact ${twice} is named twice`);
  const byId = new Map(found.map((each) => [each.contact.id, each]));
  const unknown = ids.filter((id) => !byId.has(id));
  const kept = byId.get(keepId);
  if (kept === undefined || unknown.length > 0)
    throw new MergeError(`the account has no contact ${unknown.join(', ')}`);
  const duplicates = duplicateIds.flatMap((id) => byId.get(id) ?? []);
  refuseOtherEmails(kept, duplicates);
  return { kept, duplicates };
}

function refuseOtherEmails(kept: MergingContact, duplicates: MergingContact[]): void {
  const others = duplicates.filter((each) => each.contact.emailKey !== kept.contact.emailKey);
  if (others.length === 0) return;
  const ids = others.map(({ contact }) => contact.id).join(', ');
  const have = others.length === 1 ? `contact ${ids} has` : `contacts ${ids} have`;
  throw new MergeError(
    `${have} a different email from ${kept.contact.id}, which a merge would lose`,
  );
}

/** Fills the empty fields of the remaining contact, and lists the values that the merge loses. */
function fillFields(kept: MergingContact, duplicates: MergingContact[]) {
  const contact = { ...kept.contact };
  const filled = new Set<FilledField>();
  const leftBehind: LeftBehind[] = [];

  function fillField(from: Contact, field: MergedField): void {
    const value = from[field];
    if (isEmpty(value) || value === contact[field]) return;
    if (!isEmpty(contact[field]))
      return void leftBehind.push({ contactId: from.id, field: NAME_OF[field], value });
    Object.assign(contact, { [field]: value });
    filled.add(NAME_OF[field]);
  }

  for (const duplicate of duplicates)
    for (const field of MERGED_FIELDS) fillField(duplicate.contact, field);
  return { contact, filledFields: FILLED_FIELDS.filter((field) => filled.has(field)), leftBehind };
}

function isEmpty(value: Contact[MergedField]): value is '' | null {
  return typeof value !== 'number' && isBlank(value);
}

function findMovedTags(kept: MergingContact, duplicates: MergingContact[]) {
  const rows = duplicates.flatMap(({ contact, tags }) =>
    tags.map((tag) => ({ ...tag, contactId: contact.id })),
  );
  return findOldest(
    rows,
    ({ tagId }) => tagId,
    kept.tags.map(({ tagId }) => tagId),
  );
}

function findMovedLinks(kept: MergingContact, duplicates: MergingContact[]) {
  const keyOf = ({ projectId, unitId }: MergingContact['links'][number]) =>
    `${projectId} ${unitId}`;
  const rows = duplicates.flatMap(({ links }) => links);
  return findOldest(rows, keyOf, kept.links.map(keyOf));
}

/** Finds the oldest row of each key that is not taken. */
function findOldest<T extends { id: string }>(
  rows: T[],
  keyOf: (row: T) => string,
  taken: string[],
): T[] {
  const keys = new Set(taken);
  return rows
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .filter((row) => {
      const isFirst = !keys.has(keyOf(row));
      keys.add(keyOf(row));
      return isFirst;
    });
}
