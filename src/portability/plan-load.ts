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
import type { LoadOptions, LoadRules } from './load-rules.ts';
import {
  checkContacts,
  matchContacts,
  planEnquiries,
  reportLinkedUnits,
  type Account,
  type PlannedEnquiry,
} from './plan-contacts.ts';
import { planRows, reportTakenKeys, type PlannedRow } from './plan-rows.ts';
import { planStock, type StockPlan } from './plan-stock.ts';
import type { AccountFile, ContactEntry } from './schemas.ts';
import { gatherLabels } from './labels.ts';

/** The changes of an account by a file. `planContactChanges` plans those of the contacts, chunk by chunk. */
export interface LoadPlan {
  account: Account;
  organization: RowPlan<Organization>;
  /** The organization before the load, or undefined when the load creates the account. */
  storedOrganization: Organization | undefined;
  /** The label of each spelling in the file. */
  labels: Map<string, Label>;
  users: PlannedRow<User>[];
  stock: StockPlan;
  contacts: MatchedEntry<ContactEntry>[];
  /** The enquiries of the file by the ids of their contacts. */
  enquiries: Map<string, PlannedEnquiry[]>;
}

const USERS = {
  noun: 'user',
  keyField: 'email',
  readKey: ({ email }: { email?: string }) => email && toEmailKey(email),
  plan: planUser,
};

/** Plans a load, and reports the faults of its file. Locks the account, then the emails of the contacts, except in a dry run. */
export async function planLoad(
  tx: Queryable,
  file: AccountFile,
  rules: LoadRules,
  options: LoadOptions,
  faults: FaultList,
): Promise<LoadPlan> {
  const account = await openAccount(tx, file.account.slug, options, faults);
  const { accountId, isNew } = account;
  const storedOrganization = isNew ? undefined : await readOrganization(tx, accountId);
  const organization = planOrganization(storedOrganization, file.account.organization ?? {});
  faults.reportWithin('/account/organization', organization.faults);
  const labels = gatherLabels(file, faults);
  const storedUsers = await readUsers(tx, accountId);
  const users = planRows(listEntries(file.users, '/users'), storedUsers, USERS, faults);
  reportTakenKeys(users, storedUsers, USERS, EMAIL_TAKEN, faults);
  const storedProjects = await readProjects(tx, accountId);
  const stock = planStock(file.projects, storedProjects, rules, faults);
  await reportLinkedUnits(tx, accountId, stock, faults);
  const contactEntries = listEntries(file.contacts, '/contacts');
  const contacts = await matchContacts(tx, account, contactEntries, options, faults);
  const references = {
    userIds: new Set([...storedUsers, ...users.map(({ row }) => row)].map(({ id }) => id)),
    projectIds: new Set(stock.projectsAfter.map(({ id }) => id)),
    projectOfUnit: new Map(stock.unitsAfter.map(({ id, projectId }) => [id, projectId])),
  };
  checkContacts(contactEntries, contacts, references, faults);
  const enquiries = planEnquiries(file.enquiries, contacts, faults);
  if (rules.revision !== null && !isNew) {
    reportGoneRows('user', users.map(toMatch), faults);
    reportGoneRows('project', stock.projects.map(toMatch), faults);
    reportGoneRows('unit', stock.units.map(toMatch), faults);
    reportGoneRows('contact', contacts, faults);
  }
  return { account, organization, storedOrganization, labels, users, stock, contacts, enquiries };
}

/**
 * Locks the account with this slug, or reserves the slug for a new one, so that only one load of an account runs at a time. A dry
 * run locks and reserves nothing.
 */
async function openAccount(
  tx: Queryable,
  slug: string | undefined,
  { existing = false, isNew = false, dryRun = false }: LoadOptions,
  faults: FaultList,
): Promise<Account> {
  const newAccount = { accountId: newId(), isNew: true };
  // If the slug has a fault, check the rest of the file as that of a new account.
  if (slug === undefined) return newAccount;
  const found = await findAccountBySlug(tx, slug);
  if (found === undefined) {
    if (existing)
      faults.report('/account/slug', 'is the slug of no account, and --existing creates none.');
    if (existing || dryRun || (await reserveSlug(tx, newAccount.accountId, slug)))
      return newAccount;
  }
  if (isNew) faults.report('/account/slug', 'is the slug of an account already.');
  // Without a free slug, another transaction has created the account after the look-up.
  const accountId = found ?? (await findAccountBySlug(tx, slug));
  if (accountId === undefined) throw new Error('another transaction removed the account');
  if (!dryRun) await lockAccount(tx, accountId);
  return { accountId, isNew: false };
}

const toMatch = ({ pointer, entry, change }: PlannedRow<unknown>) => {
  return { pointer, entry: entry as { id?: string }, isNew: change === 'created' };
};

/** Reports the entries of an export whose ids the account no longer has, since the load would bring back removed rows. */
function reportGoneRows(
  noun: string,
  matches: { pointer: string; entry: { id?: string }; isNew: boolean }[],
  faults: FaultList,
): void {
  const detail = `is the id of no ${noun} of the account, which had it at the export; leave the id out to create a ${noun}.`;
  for (const { pointer, entry, isNew } of matches)
    if (isNew && entry.id !== undefined) faults.reportStale(`${pointer}/id`, detail);
}
