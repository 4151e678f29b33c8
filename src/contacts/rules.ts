import {
  defineRow,
  findMissingFields,
  planRow,
  type Entry,
  type Fault,
  type RowPlan,
} from '../platform/fields/index.ts';
import {
  toEmailKey,
  isBlank,
  toLabelKey,
  countCharacters,
  normalizeLabel,
} from '../platform/text/index.ts';
import {
  ActivityFields,
  ContactFields,
  LinkFields,
  TAG_MAX_LENGTH,
  type Activity,
  type Contact,
  type FillableField,
  type Link,
} from './schemas.ts';
import type { Label } from './tags.ts';

export const CONTACT = defineRow('contact', ContactFields);

type ContactEntry = Entry<typeof ContactFields>;

/** Makes a contact with an id and an email. All other fields are null. */
export function createEmptyContact(own: Pick<Contact, 'id' | 'email' | 'emailKey'>): Contact {
  return { ...CONTACT.defaults, ...own };
}

/** Decides what an entry makes of a contact; without a stored one it makes a new contact. */
export function planContact(
  stored: Contact | undefined,
  id: string,
  entry: ContactEntry,
): RowPlan<Contact> {
  const email = entry.email ?? stored?.email ?? '';
  return planRow(CONTACT, stored, entry, { id, emailKey: toEmailKey(email) });
}

/** Whether an import or a merge fills a field that has this value. */
export function isEmpty(value: Contact[FillableField]): value is '' | null {
  return typeof value !== 'number' && isBlank(value);
}

/** The users, projects and units that contacts of an account can refer to. */
export interface References {
  userIds: Set<string>;
  projectIds: Set<string>;
  projectOfUnit: Map<string, string>;
}

/** Finds the fields that an entry lacks for a new contact, and the user that the account does not have. */
export function checkContact(
  entry: ContactEntry,
  isNew: boolean,
  { userIds }: References,
): Fault[] {
  const missing = isNew ? findMissingFields(CONTACT, entry) : [];
  const userId = entry.assignedAccountUserId?.toLowerCase();
  if (userId === undefined || userIds.has(userId)) return missing;
  return [
    ...missing,
    { pointer: '/assignedAccountUserId', detail: 'is the id of no user of the account.' },
  ];
}

/** Finds the project or the unit of a link that the account does not have. */
export function checkLink(
  { projectId, unitId }: Link,
  { projectIds, projectOfUnit }: References,
): Fault[] {
  if (!projectIds.has(projectId))
    return [{ pointer: '/projectId', detail: 'is the id of no project of the account.' }];
  if (unitId === null || projectOfUnit.get(unitId) === projectId) return [];
  return [{ pointer: '/unitId', detail: 'is the id of no unit of this project.' }];
}

export const ACTIVITY = defineRow('activity', ActivityFields, { type: 'note' });
export const LINK = defineRow('link', LinkFields);

/** Reads an activity as it is stored. */
export function readActivity(entry: Entry<typeof ActivityFields>): Activity {
  return planRow(ACTIVITY, undefined, entry, {}).row;
}

/** Reads a link as it is stored. */
export function readLink(entry: Entry<typeof LinkFields>): Link {
  return planRow(LINK, undefined, entry, {}).row;
}

export const LABEL_TOO_LONG = `must be a label of at most ${TAG_MAX_LENGTH} characters.`;

/** Reads the label of a tag; null when it is too long. */
export function readLabel(text: string): Label | null {
  const label = normalizeLabel(text);
  return countCharacters(label) > TAG_MAX_LENGTH ? null : { label, key: toLabelKey(label) };
}
