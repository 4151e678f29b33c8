import type { Organization } from '../accounts/index.ts';
import { readUsers, type User } from '../users/index.ts';
import { emailsLock, findContactKeys, findLinkedUnits } from '../contacts/index.ts';
import { readProjects } from '../projects/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { openAccount, planOrganization, type OpenAccount } from './account.ts';
import {
  checkContact,
  identifyContacts,
  matchContacts,
  referencesAfter,
  type MatchedContact,
} from './contacts.ts';
import { below, type Faults } from './faults.ts';
import { items } from './given.ts';
import { gatherLabels, type Labels } from './labels.ts';
import type { Identified } from './match.ts';
import { planProjects, type PlannedProject } from './projects.ts';
import type { AccountFile, ContactEntry } from './schema.ts';
import type { Change, Settled } from './settle.ts';
import { planUsers } from './users.ts';

/** What a file does to its account. What contacts change is planned as they are written, in parts. */
export interface LoadPlan {
  account: OpenAccount;
  organization: Organization;
  organizationChange: Change;
  labels: Labels;
  users: Settled<User>[];
  projects: PlannedProject[];
  contacts: MatchedContact[];
}

type Givens = Pick<Faults, 'report' | 'isFaultyWithin'> & { newId: () => string };

/** Decides what a file does, and reports what it cannot. Holds the account and locks the contacts' emails. */
export async function planLoad(
  tx: Queryable,
  file: AccountFile,
  givens: Givens,
): Promise<LoadPlan> {
  const { report, newId } = givens;
  const account = await openAccount(tx, file.account.slug, newId);
  const { accountId, isNew } = account;
  const { organization, change: organizationChange } = await planOrganization(
    tx,
    account,
    file.account.organization,
    report,
  );
  const storedUsers = isNew ? [] : await readUsers(tx, accountId);
  const storedProjects = isNew ? [] : await readProjects(tx, accountId);
  const labels = gatherLabels(file, report);
  const users = planUsers(file.users, storedUsers, givens);
  const projects = planProjects(file.projects, storedProjects, givens);
  await reportLinkedRemovals(tx, accountId, projects, givens);
  const contacts = await findContacts(tx, account, file.contacts ?? [], givens);
  const userIds = [...storedUsers.map(({ id }) => id), ...users.map(({ row }) => row.id)];
  const references = referencesAfter(userIds, storedProjects, projects);
  const newOnes = new Set(contacts.filter((each) => each.isNew).map(({ at }) => at));
  for (const each of items(file.contacts))
    checkContact(each, newOnes.has(each.at), references, report);
  return { account, organization, organizationChange, labels, users, projects, contacts };
}

async function reportLinkedRemovals(
  tx: Queryable,
  accountId: string,
  projects: PlannedProject[],
  { report, isFaultyWithin }: Givens,
): Promise<void> {
  const removed = projects.flatMap(({ units }) => units?.removed ?? []);
  if (removed.length === 0) return;
  const linked = await findLinkedUnits(tx, accountId, removed);
  for (const { at, units } of projects) {
    const pointer = below(below('/projects', at), 'units');
    const kept = units?.removed.filter(({ id }) => linked.has(id)) ?? [];
    // A unit that seems to be missing may be one of those at fault.
    if (kept.length === 0 || isFaultyWithin(pointer)) continue;
    const names = kept.map(({ name }) => `"${name}"`).join(', ');
    report(
      pointer,
      `leaves out what contacts are linked to (${names}); keep it, with the status Withdrawn.`,
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
  const before = await findContactKeys(tx, accountId, { ids });
  const emailKeys = [...new Set(identified.flatMap(({ key }) => key ?? []))];
  await emailsLock(tx, accountId, [...emailKeys, ...before.map(({ emailKey }) => emailKey)]);
  // A merge may have removed some of them before this transaction had the locks.
  const rows = await findContactKeys(tx, accountId, { ids, emailKeys });
  return rows.map(({ id, emailKey }) => ({ id, key: emailKey }));
}
