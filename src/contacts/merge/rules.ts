import { isEmpty, joinName, toLinkKey } from '../rules.ts';
import {
  FILLABLE_FIELDS,
  FILLED_FIELD_OF,
  FILLED_FIELDS,
  type Activity,
  type Contact,
  type FillableField,
  type FilledField,
  type FullContact,
} from '../schemas.ts';

/** A value of a merged contact that the merge loses, because the remaining contact gets another value in this field. */
export interface LostValue {
  contactId: string;
  field: FilledField;
  value: string | number;
}

/** The report of a merge for the user. */
export interface MergeReport {
  /** The contact that remains. */
  contactId: string;
  email: string;
  /** The fields that the merge filled. `notes` is the free-form field. */
  filledFields: FilledField[];
  /** Whether the remaining contact was archived and became active. */
  activated: boolean;
  moved: { tags: number; activities: number; links: number };
  removedContactIds: string[];
  leftBehind: LostValue[];
}

/** The contact, by its id, from which a field of the remaining contact gets its value. */
export type TakeFrom = Partial<Record<FillableField, string>>;

/** The rows that a merge updates, moves and deletes. */
export interface MergeChanges {
  /** The contact that remains. The merge is a change of it, even when it fills no field. */
  remaining: Contact;
  movedTagIds: string[];
  movedLinkIds: string[];
  movedActivityIds: string[];
  /** The ids of the duplicates. */
  removedIds: string[];
}

/** Says why contacts cannot be merged. The message is one line, and names contacts only by their ids. */
export class MergeError extends Error {
  readonly reason: 'unknown' | 'repeated' | 'other_email' | 'not_merged';
  /** The part of the request that is wrong. */
  readonly pointer: string;

  constructor(reason: MergeError['reason'], message: string, pointer = '/duplicateIds') {
    super(message);
    this.reason = reason;
    this.pointer = pointer;
  }
}

/**
 * Plans the merge of duplicates into one contact. A field that `takeFrom` names gets the value of that contact, if it has one. The
 * duplicates fill the fields that are still empty, in the order of `duplicateIds`. Throws a MergeError when the contacts cannot be merged.
 */
export function planMerge(
  remainingId: string,
  duplicateIds: string[],
  found: FullContact[],
  takeFrom: TakeFrom = {},
): { report: MergeReport; changes: MergeChanges } {
  const { remaining, duplicates } = chooseContacts(remainingId, duplicateIds, found);
  refuseOtherSources(takeFrom, [remainingId, ...duplicateIds]);
  const { contact, filledFields, lostValues } = fillFields(remaining, duplicates, takeFrom);
  const isActivated =
    contact.archivedAt !== null && duplicates.some((each) => each.contact.archivedAt === null);
  if (isActivated) contact.archivedAt = null;
  const tags = duplicates.flatMap((each) => each.tags);
  const links = duplicates.flatMap((each) => each.links);
  const movedTagIds = chooseMovedIds(tags, remaining.tags, ({ tagId }) => tagId);
  const movedLinkIds = chooseMovedIds(links, remaining.links, toLinkKey);
  const activities = duplicates.flatMap((each) => each.activities);
  const movedActivityIds = chooseMovedIds(activities, remaining.activities, toActivityKey);
  return {
    report: {
      contactId: remainingId,
      email: contact.email,
      filledFields,
      activated: isActivated,
      moved: {
        tags: movedTagIds.length,
        activities: movedActivityIds.length,
        links: movedLinkIds.length,
      },
      removedContactIds: duplicateIds,
      leftBehind: lostValues,
    },
    changes: {
      remaining: contact,
      movedTagIds,
      movedLinkIds,
      movedActivityIds,
      removedIds: duplicateIds,
    },
  };
}

function chooseContacts(
  remainingId: string,
  duplicateIds: string[],
  found: FullContact[],
): { remaining: FullContact; duplicates: FullContact[] } {
  const ids = [remainingId, ...duplicateIds];
  const repeatedId = ids.find((id, at) => ids.indexOf(id) !== at);
  if (repeatedId !== undefined)
    throw new MergeError('repeated', `contact ${repeatedId} is named twice`);
  const byId = new Map(found.map((each) => [each.contact.id, each]));
  const unknownIds = ids.filter((id) => !byId.has(id));
  const remaining = byId.get(remainingId);
  if (remaining === undefined || unknownIds.length > 0)
    throw new MergeError('unknown', `the account has no contact ${unknownIds.join(', ')}`);
  const duplicates = duplicateIds.flatMap((id) => byId.get(id) ?? []);
  refuseOtherEmails(remaining, duplicates);
  return { remaining, duplicates };
}

function refuseOtherEmails(remaining: FullContact, duplicates: FullContact[]): void {
  const { id: remainingId, emailKey } = remaining.contact;
  const others = duplicates.filter(({ contact }) => contact.emailKey !== emailKey);
  if (others.length === 0) return;
  const ids = others.map(({ contact }) => contact.id).join(', ');
  const subject = others.length === 1 ? `contact ${ids} has` : `contacts ${ids} have`;
  throw new MergeError(
    'other_email',
    `${subject} a different email from ${remainingId}, which a merge would lose`,
  );
}

function refuseOtherSources(takeFrom: TakeFrom, ids: string[]): void {
  for (const [field, id] of Object.entries(takeFrom))
    if (!ids.includes(id))
      throw new MergeError(
        'not_merged',
        `takeFrom.${field} must be the id of one of the contacts that are merged`,
        `/takeFrom/${field}`,
      );
}

/** Fills the fields of the remaining contact, and collects the values that the merge loses. */
function fillFields(remaining: FullContact, duplicates: FullContact[], takeFrom: TakeFrom) {
  const contacts = [remaining, ...duplicates].map((each) => each.contact);
  const contact = { ...remaining.contact };
  const filled = new Set<FilledField>();
  for (const { createdAt } of contacts)
    contact.createdAt = findEarlier(contact.createdAt, createdAt);
  for (const field of FILLABLE_FIELDS) {
    const chosen = contacts.filter(({ id }) => id === takeFrom[field]);
    const source = [...chosen, ...contacts].find((each) => !isEmpty(each[field]));
    if (source === undefined) continue;
    Object.assign(contact, { [field]: source[field] });
    if (isEmpty(remaining.contact[field])) filled.add(FILLED_FIELD_OF[field]);
  }
  const lostValues = contacts.flatMap((each) =>
    FILLABLE_FIELDS.flatMap((field): LostValue[] => {
      const value = each[field];
      if (isEmpty(value) || value === contact[field]) return [];
      return [{ contactId: each.id, field: FILLED_FIELD_OF[field], value }];
    }),
  );
  const builtName = isEmpty(contact.name) ? joinName(contact.firstName, contact.lastName) : null;
  if (builtName !== null) {
    contact.name = builtName;
    filled.add('name');
  }
  return { contact, filledFields: FILLED_FIELDS.filter((field) => filled.has(field)), lostValues };
}

const toActivityKey = ({ type, body, outcome = null, occurredAt }: Activity): string =>
  JSON.stringify([type, body, outcome, occurredAt]);

function findEarlier(a: Contact['createdAt'], b: Contact['createdAt']): Contact['createdAt'] {
  if (a == null || b == null) return a ?? b;
  return a < b ? a : b;
}

/** Chooses the rows that move: the oldest row of each key that the remaining contact lacks. Returns their ids. */
function chooseMovedIds<Row extends { id: string }>(
  rows: Row[],
  remainingRows: Row[],
  toKey: (row: Row) => string,
): string[] {
  const newestFirst = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const oldestOfKey = new Map(newestFirst.map((row) => [toKey(row), row.id]));
  for (const row of remainingRows) oldestOfKey.delete(toKey(row));
  return [...oldestOfKey.values()];
}
