import {
  defineRow,
  findMissingFields,
  planRow,
  type Entry,
  type FieldFault,
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
  EnquiryFields,
  ActivityFields,
  ContactFields,
  LinkFields,
  TAG_MAX_LENGTH,
  type Activity,
  type Contact,
  type FillableField,
  type Label,
  type Link,
} from './schemas.ts';

/** A contact: its fields. All but the email may be empty. */
export const CONTACT = defineRow('contact', ContactFields);

type ContactEntry = Entry<typeof ContactFields>;

/** Creates a contact that has an id and an email. All its other fields are null. */
export function createEmptyContact(own: Pick<Contact, 'id' | 'email' | 'emailKey'>): Contact {
  return { ...CONTACT.defaults, ...own };
}

/** Applies an entry to a stored contact. Without one, plans a new contact. */
export function planContact(
  stored: Contact | undefined,
  id: string,
  entry: ContactEntry,
): RowPlan<Contact> {
  const email = entry.email ?? stored?.email ?? '';
  // Every contact has a time of creation, so an entry cannot empty it.
  const { createdAt = null, ...others } = entry;
  const given = createdAt === null ? others : entry;
  return planRow(CONTACT, stored, given, { id, emailKey: toEmailKey(email) });
}

/** Whether a field with this value is empty, so that an import or a merge fills it. */
export function isEmpty(value: Contact[FillableField]): value is '' | null {
  return typeof value !== 'number' && isBlank(value);
}

/** Joins the halves of a name. Returns null when both are empty. */
export function joinName(firstName: string | null, lastName: string | null): string | null {
  return [firstName, lastName].filter((half) => !isEmpty(half)).join(' ') || null;
}

/** The ids of the users, projects and units to which contacts of an account can refer. */
export interface References {
  userIds: Set<string>;
  projectIds: Set<string>;
  /** The project of each unit. */
  projectOfUnit: Map<string, string>;
}

/** Finds the required fields that a new contact lacks, and an assigned user who is not in the account. */
export function checkContact(
  entry: ContactEntry,
  isNew: boolean,
  { userIds }: References,
): FieldFault[] {
  const missing = isNew ? findMissingFields(CONTACT, entry) : [];
  return [...missing, ...checkUser('/assignedAccountUserId', entry.assignedAccountUserId, userIds)];
}

/** Finds a user at `pointer` whom the account does not have. */
export function checkUser(
  pointer: string,
  userId: string | null | undefined,
  userIds: Set<string>,
): FieldFault[] {
  if (userId == null || userIds.has(userId.toLowerCase())) return [];
  return [{ pointer, detail: 'is the id of no user of the account.' }];
}

/** Finds a project or a unit in a link that the account does not have. */
export function checkLink(
  { projectId, unitId }: Link,
  { projectIds, projectOfUnit }: References,
): FieldFault[] {
  if (!projectIds.has(projectId))
    return [{ pointer: '/projectId', detail: 'is the id of no project of the account.' }];
  if (unitId === null || projectOfUnit.get(unitId) === projectId) return [];
  return [{ pointer: '/unitId', detail: 'is the id of no unit of this project.' }];
}

export const ACTIVITY = defineRow('activity', ActivityFields, { type: 'note' });
const ENQUIRY = defineRow('enquiry', EnquiryFields, { values: {} });

/** Converts an entry to an enquiry as the database stores it. */
export function parseEnquiry(entry: Entry<typeof EnquiryFields>): Activity {
  const { values, occurredAt } = planRow(ENQUIRY, undefined, entry, {}).row;
  return makeEnquiry(values, occurredAt);
}

/** Makes an enquiry: an activity with the values that somebody sent and that differ from those of the contact. */
export function makeEnquiry(values: Record<string, string>, occurredAt: string): Activity {
  const body = Object.entries(values).map(([field, value]) => `${field}: ${value}`);
  return { type: 'enquiry', body: body.join('\n'), values, occurredAt };
}

export const LINK = defineRow('link', LinkFields);

/** Converts an entry to an activity as the database stores it. `userId` is the person who recorded it. */
export function parseActivity({
  userId = null,
  ...entry
}: Entry<typeof ActivityFields> & { userId?: string | null }): Activity {
  const actor = userId === null ? {} : { actorType: 'user', actorId: userId.toLowerCase() };
  return { ...planRow(ACTIVITY, undefined, entry, {}).row, ...actor };
}

/** Converts an entry to a link as the database stores it. */
export function parseLink(entry: Entry<typeof LinkFields>): Link {
  return planRow(LINK, undefined, entry, {}).row;
}

/** Makes the key by which links of a contact are the same. */
export function toLinkKey({ projectId, unitId }: Link): string {
  return `${projectId} ${unitId}`;
}

/** The rule for labels as the end of a sentence, such as "label must be …". */
export const LABEL_RULE = `must be a label of 1 to ${TAG_MAX_LENGTH} characters.`;

/** Parses the label of a tag. Returns null when it is empty or too long. */
export function parseLabel(text: string): Label | null {
  const label = normalizeLabel(text);
  if (label === '' || countCharacters(label) > TAG_MAX_LENGTH) return null;
  return { label, key: toLabelKey(label) };
}
