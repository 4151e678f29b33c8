import type { Contact } from '../contacts/index.ts';
import { emailKey } from '../platform/text/index.ts';
import { below, type Report } from './faults.ts';
import { items, type Item } from './given.ts';
import { matchEntries, type Identified, type Match } from './match.ts';
import type { ProjectWithUnits } from '../projects/index.ts';
import type { PlannedProject } from './projects.ts';
import { Contact as ContactSchema, type ContactEntry } from './schema.ts';

const POINTER = '/contacts';

/** The fields of a contact itself, in the order of an export. */
export const CONTACT_FIELDS = Object.keys(ContactSchema.properties).filter(
  (field) => field !== 'tags' && field !== 'activities' && field !== 'links',
) as (keyof Contact)[];

/** A contact of the file and the row that it is. */
export interface MatchedContact extends Match {
  entry: ContactEntry;
}

/** What contacts may refer to once the file is loaded. */
export interface References {
  userIds: Set<string>;
  projectIds: Set<string>;
  projectOfUnit: Map<string, string>;
}

/** A contact of the file as far as its identity goes; its key is the email's. */
export function identifyContacts(entries: ContactEntry[] | undefined): Identified[] {
  return items(entries).map(({ at, item: { id, email } }) => ({
    at,
    id: id?.toLowerCase(),
    key: email === undefined ? undefined : emailKey(email),
  }));
}

/** Finds the row of each contact; `rows` are those of the account with an id or an email of the file. */
export function matchContacts(
  entries: ContactEntry[],
  identified: Identified[],
  rows: { id: string; key: string }[],
  givens: { report: Report; newId: () => string },
): MatchedContact[] {
  const kind = { pointer: POINTER, keyField: 'email', noun: 'contact', mayShare: true };
  return matchEntries(identified, rows, kind, givens).flatMap((match) => {
    const entry = entries[match.at];
    return entry === undefined ? [] : [{ ...match, entry }];
  });
}

/** Reports what a contact lacks, and what it refers to that the account will not have. */
export function checkContact(
  { at, item: { email, assignedAccountUserId: userId, links } }: Item<ContactEntry>,
  isNew: boolean,
  { userIds, projectIds, projectOfUnit }: References,
  report: Report,
): void {
  const place = (...members: (string | number)[]) =>
    members.reduce<string>(below, `${POINTER}/${at}`);
  if (isNew && email === undefined) report(place('email'), 'is required for a new contact.');
  if (userId != null && !userIds.has(userId.toLowerCase()))
    report(
      place('assignedAccountUserId'),
      'is the id of no user, neither in the file nor in the account.',
    );
  for (const { at: index, item } of items(links)) {
    const projectId = item.projectId.toLowerCase();
    if (!projectIds.has(projectId))
      report(
        place('links', index, 'projectId'),
        'is the id of no project, neither in the file nor in the account.',
      );
    else if (item.unitId != null && projectOfUnit.get(item.unitId.toLowerCase()) !== projectId)
      report(place('links', index, 'unitId'), 'is the id of no unit of this project.');
  }
}

/** What the account will have of what contacts refer to. */
export function referencesAfter(
  userIds: string[],
  stored: ProjectWithUnits[],
  planned: PlannedProject[],
): References {
  const units = stored.flatMap(({ units }) => units);
  const projectOfUnit = new Map(units.map(({ id, projectId }) => [id, projectId]));
  for (const { units: own } of planned) {
    for (const { id } of own?.removed ?? []) projectOfUnit.delete(id);
    for (const { row } of own?.units ?? []) projectOfUnit.set(row.id, row.projectId);
  }
  const projectIds = [
    ...stored.map(({ project }) => project.id),
    ...planned.map(({ row }) => row.id),
  ];
  return { userIds: new Set(userIds), projectIds: new Set(projectIds), projectOfUnit };
}
