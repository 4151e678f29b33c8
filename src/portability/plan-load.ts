import type { Organization, User } from '../accounts/write.ts';
import { emailsLock } from '../contacts/store.ts';
import type { Queryable } from '../database/query.ts';
import { openAccount, planOrganization, type OpenAccount } from './account.ts';
import {
  checkContact,
  identifyContacts,
  matchContacts,
  referencesAfter,
  type MatchedContact,
} from './contacts.ts';
import { below, type Report } from './faults.ts';
import { gatherLabels, type Labels } from './labels.ts';
import type { Identified } from './match.ts';
import { planProjects, type PlannedProject } from './projects.ts';
import { contactKeysFindByEmail, contactKeysFindById } from './read-contacts.ts';
import { linkedUnitsFind, projectsRead, usersRead } from './read.ts';
import type { AccountFile, ContactEntry } from './schema.ts';
import type { Settled } from './settle.ts';
import { planUsers } from './users.ts';

/** What a file does to its account. What contacts change is planned as they are written, in parts. */
export interface LoadPlan {
  account: OpenAccount;
  organization: Organization;
  isOrganizationChanged: boolean;
  labels: Labels;
  users: Settled<User>[];
  projects: PlannedProject[];
  contacts: MatchedContact[];
}

interface Givens {
  report: Report;
  newId: () => string;
}

/** Decides what a file does, and reports what it cannot. Holds the account and locks the contacts' emails. */
export async function planLoad(
  tx: Queryable,
  file: AccountFile,
  givens: Givens,
): Promise<LoadPlan> {
  const { report, newId } = givens;
  const account = await openAccount(tx, file.account.slug, newId);
  const { accountId, isNew } = account;
  const { organization, isChanged: isOrganizationChanged } = await planOrganization(
    tx,
    account,
    file.account.organization,
    report,
  );
  const storedUsers = isNew ? [] : await usersRead(tx, accountId);
  const storedProjects = isNew ? [] : await projectsRead(tx, accountId);
  const labels = gatherLabels(file, report);
  const users = planUsers(file.users, storedUsers, givens);
  const projects = planProjects(file.projects, storedProjects, givens);
  await reportLinkedRemovals(tx, accountId, projects, report);
  const contacts = await findContacts(tx, account, file.contacts ?? [], givens);
  const userIds = [...storedUsers.map(({ id }) => id), ...users.map(({ row }) => row.id)];
  const references = referencesAfter(userIds, storedProjects, projects);
  for (const contact of contacts) checkContact(contact, references, report);
  return { account, organization, isOrganizationChanged, labels, users, projects, contacts };
}

async function reportLinkedRemovals(
  tx: Queryable,
  accountId: string,
  projects: PlannedProject[],
  report: Report,
): Promise<void> {
  const removed = projects.flatMap(({ units }) => units?.removed ?? []);
  if (removed.length === 0) return;
  const linked = await linkedUnitsFind(tx, accountId, removed);
  for (const { at, units } of projects) {
    const names = units?.removed.filter(({ id }) => linked.has(id)).map(({ name }) => `"${name}"`);
    if (names === undefined || names.length === 0) continue;
    const whose =
      names.length === 1
        ? `unit ${names[0]}, which contacts are`
        : `units ${names.join(', ')}, which contacts are`;
    report(
      below(below('/projects', at), 'units'),
      `leaves out the ${whose} linked to; keep it with the status Withdrawn.`,
    );
  }
}

async function findContacts(
  tx: Queryable,
  { accountId, isNew }: OpenAccount,
  entries: ContactEntry[],
  givens: Givens,
): Promise<MatchedContact[]> {
  const identified = identifyContacts(entries);
  // Nobody else can write the contacts of an account that nobody else can see.
  const rows = isNew ? [] : await lockContacts(tx, accountId, identified);
  return matchContacts(entries, identified, rows, givens);
}

/** Locks the emails that the contacts of the file have and had, and gives the rows that have them. */
async function lockContacts(
  tx: Queryable,
  accountId: string,
  identified: Identified[],
): Promise<{ id: string; key: string }[]> {
  if (identified.length === 0) return [];
  const ids = identified.flatMap(({ id }) => id ?? []);
  // Only loads change an email, and the account is held against them.
  const named = await contactKeysFindById(tx, accountId, ids);
  const keys = new Set(identified.flatMap(({ key }) => key ?? []));
  await emailsLock(tx, accountId, [...keys, ...named.map(({ key }) => key)]);
  const sharing = await contactKeysFindByEmail(tx, accountId, [...keys]);
  return [...new Map([...named, ...sharing].map((row) => [row.id, row])).values()];
}
