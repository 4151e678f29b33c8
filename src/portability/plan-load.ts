import {
  findAccountBySlug,
  lockAccount,
  planOrganization,
  readOrganization,
  reserveSlug,
  type Organization,
} from '../accounts/index.ts';
import type { Label } from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { RowPlan } from '../platform/fields/index.ts';
import { toEmailKey, newId } from '../platform/text/index.ts';
import { readProjects } from '../projects/index.ts';
import { EMAIL_TAKEN, planUser, readUsers, type User } from '../users/index.ts';
import { listEntries, type MatchedEntry } from './entries.ts';
import type { FaultList } from './faults.ts';
import { checkContacts, matchContacts, reportLinkedUnits } from './plan-contacts.ts';
import { planRows, reportTakenKeys, type PlannedRow } from './plan-rows.ts';
import { planStock, type StockPlan } from './plan-stock.ts';
import type { AccountFile, ContactEntry } from './schemas.ts';
import { gatherLabels } from './labels.ts';

/** The changes that a file makes in its account. `writeContacts` plans those of the contacts, chunk by chunk. */
export interface LoadPlan {
  account: Account;
  organization: RowPlan<Organization>;
  /** The label of each spelling in the file. */
  labels: Map<string, Label>;
  users: PlannedRow<User>[];
  stock: StockPlan;
  contacts: MatchedEntry<ContactEntry>[];
}

const USERS = {
  noun: 'user',
  keyField: 'email',
  readKey: ({ email }: { email?: string }) => email && toEmailKey(email),
  plan: planUser,
};

/** Plans a load, and reports the faults of its file. Locks the account, then the emails of the contacts. */
export async function planLoad(
  tx: Queryable,
  file: AccountFile,
  faults: FaultList,
): Promise<LoadPlan> {
  const account = await openAccount(tx, file.account.slug);
  const { accountId, isNew } = account;
  const storedOrganization = isNew ? undefined : await readOrganization(tx, accountId);
  const organization = planOrganization(storedOrganization, file.account.organization ?? {});
  faults.reportWithin('/account/organization', organization.faults);
  const labels = gatherLabels(file, faults);
  const storedUsers = await readUsers(tx, accountId);
  const users = planRows(listEntries(file.users, '/users'), storedUsers, USERS, faults);
  reportTakenKeys(users, storedUsers, USERS, EMAIL_TAKEN, faults);
  const stock = planStock(file.projects, await readProjects(tx, accountId), faults);
  await reportLinkedUnits(tx, accountId, stock, faults);
  const contactEntries = listEntries(file.contacts, '/contacts');
  const contacts = await matchContacts(tx, account, contactEntries, faults);
  const references = {
    userIds: new Set([...storedUsers, ...users.map(({ row }) => row)].map(({ id }) => id)),
    projectIds: new Set(stock.projectsAfter.map(({ id }) => id)),
    projectOfUnit: new Map(stock.unitsAfter.map(({ id, projectId }) => [id, projectId])),
  };
  checkContacts(contactEntries, contacts, references, faults);
  return { account, organization, labels, users, stock, contacts };
}

/** The account of a file. An existing one is locked; for a new one only the slug is reserved. */
export interface Account {
  accountId: string;
  isNew: boolean;
}

/** Finds and locks the account of a slug, or reserves the slug for a new one: only one load of an account runs at a time. */
async function openAccount(tx: Queryable, slug: string | undefined): Promise<Account> {
  const newAccount = { accountId: newId(), isNew: true };
  // When the slug has a fault, check the rest of the file as that of a new account.
  if (slug === undefined) return newAccount;
  const existingId = await findAccountBySlug(tx, slug);
  if (existingId === undefined && (await reserveSlug(tx, newAccount.accountId, slug)))
    return newAccount;
  const accountId = existingId ?? (await findAccountBySlug(tx, slug));
  if (accountId === undefined) throw new Error('another transaction removed the account');
  await lockAccount(tx, accountId);
  return { accountId, isNew: false };
}
