import { planOrganization, readOrganization, type Organization } from '../accounts/index.ts';
import type { RowPlan } from '../platform/fields/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { emailKey } from '../platform/text/index.ts';
import { readProjects } from '../projects/index.ts';
import { EMAIL_TAKEN, planUser, readUsers, type User } from '../users/index.ts';
import { checkContacts, matchContacts, listReferences, reportLinkedUnits } from './contacts.ts';
import type { ListKind, Match, PlanContext } from './match.ts';
import { openAccount, type OpenAccount } from './open-account.ts';
import { planProjects, type PlannedProject } from './plan-stock.ts';
import { planRows, reportTakenKeys, type PlannedRow } from './plan-rows.ts';
import type { AccountFile, ContactEntry, UserEntry } from './schemas.ts';
import { gatherTags, type FileTags } from './tags.ts';

/** The changes that a file makes in its account. The changes of contacts are planned later, chunk by chunk. */
export interface LoadPlan {
  account: OpenAccount;
  organization: RowPlan<Organization>;
  tags: FileTags;
  users: PlannedRow<User>[];
  projects: PlannedProject[];
  contacts: Match<ContactEntry>[];
}

/** Plans a load and reports the faults of its file. Locks the account, then the emails of the contacts. */
export async function planLoad(
  tx: Queryable,
  file: AccountFile,
  context: PlanContext,
): Promise<LoadPlan> {
  const account = await openAccount(tx, file.account.slug, context.newId);
  const { accountId, isNew } = account;
  const storedOrganization = isNew ? undefined : await readOrganization(tx, accountId);
  const storedUsers = isNew ? [] : await readUsers(tx, accountId);
  const storedProjects = isNew ? [] : await readProjects(tx, accountId);
  const organization = planOrganization(storedOrganization, file.account.organization ?? {});
  context.reportWithin('/account/organization', organization.faults);
  const tags = gatherTags(file, context.report);
  const users = planUsers(file.users, storedUsers, context);
  const projects = planProjects(file.projects, storedProjects, context);
  await reportLinkedUnits(tx, accountId, projects, context);
  const contacts = await matchContacts(tx, account, file.contacts, context);
  const references = listReferences(
    [...storedUsers, ...users.map(({ row }) => row)],
    storedProjects,
    projects,
  );
  checkContacts(file.contacts, contacts, references, context);
  return { account, organization, tags, users, projects, contacts };
}

const USERS: ListKind<{ email?: string }> = {
  pointer: '/users',
  noun: 'user',
  keyField: 'email',
  keyOf: ({ email }) => email && emailKey(email),
  canShareKey: false,
};

function planUsers(
  entries: UserEntry[] | undefined,
  stored: User[],
  context: PlanContext,
): PlannedRow<User>[] {
  const planned = planRows(entries, stored, USERS, planUser, context);
  reportTakenKeys(planned, stored, USERS, { detail: EMAIL_TAKEN, report: context.report });
  return planned;
}
