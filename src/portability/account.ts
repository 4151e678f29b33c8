import {
  readOrganization,
  type Organization,
  lockAccount,
  takeSlug,
  findAccountBySlug,
} from '../accounts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { Report } from './faults.ts';
import { differs, given } from './given.ts';
import { Organization as OrganizationSchema, type OrganizationEntry } from './schema.ts';
import { reportMissing, type Change, type Creation } from './settle.ts';

/** The account of a file, held against other loads; a new one has nothing but its slug yet. */
export interface OpenAccount {
  accountId: string;
  isNew: boolean;
}

/** Finds the account of a slug, or takes the slug for a new one. Two loads of one account go in turn. */
export async function openAccount(
  tx: Queryable,
  slug: string | undefined,
  newId: () => string,
): Promise<OpenAccount> {
  const made = { accountId: newId(), isNew: true };
  // The slug was at fault: the rest of the file is looked at as that of a new account.
  if (slug === undefined) return made;
  const known = await findAccountBySlug(tx, slug);
  if (known === undefined && (await takeSlug(tx, made.accountId, slug))) return made;
  const accountId = known ?? (await findAccountBySlug(tx, slug));
  if (accountId === undefined) throw new Error('an account went away');
  await lockAccount(tx, accountId);
  return { accountId, isNew: false };
}

const FIELDS = Object.keys(OrganizationSchema.properties) as (keyof Organization)[];
const POINTER = '/account/organization';

const CREATION: Creation<Organization> = {
  noun: 'account',
  defaults: {
    companyName: '',
    displayName: '',
    intro: null,
    email: '',
    phone: null,
    location: '',
    websiteUrl: '',
    logoImage: null,
  },
  required: ['companyName', 'displayName', 'email', 'location', 'websiteUrl'],
};

/** What the organization is in the end, and what becomes of the stored one. */
export async function planOrganization(
  tx: Queryable,
  { accountId, isNew }: OpenAccount,
  entry: OrganizationEntry | undefined,
  report: Report,
): Promise<{ organization: Organization; change: Change }> {
  const values = given<Organization>(entry ?? {}, FIELDS);
  if (isNew) {
    reportMissing(values, CREATION, POINTER, report);
    return { organization: { ...CREATION.defaults, ...values }, change: 'created' };
  }
  const stored = await readOrganization(tx, accountId);
  const change = differs(stored, values) ? 'updated' : 'unchanged';
  return { organization: { ...stored, ...values }, change };
}
