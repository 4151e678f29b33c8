import { TZDate } from '@date-fns/tz';
import sql from 'sql-template-tag';
import { buildRowSql, query, type Queryable } from '../platform/database/index.ts';
import { deriveColumns } from '../platform/fields/index.ts';
import { selectRevision } from './revision.ts';
import { OrganizationFields, type Organization } from './schemas.ts';

/** The SQL of the organization's columns in `accounts`. */
export const organizationRow = buildRowSql(
  deriveColumns(OrganizationFields, { logoImage: 'logo_image_key' }),
);

interface AccountSummary {
  slug: string;
  companyName: string;
  createdAt: Date;
}

/** Lists all accounts of the installation, for its operator. */
export async function listAccounts(db: Queryable): Promise<AccountSummary[]> {
  return query<AccountSummary>(
    db,
    'account_list',
    sql`select account_slugs.slug, accounts.company_name as "companyName",
        accounts.created_at as "createdAt"
      from account_slugs join accounts using (account_id) order by account_slugs.slug`,
  );
}

/** Finds the id of the account with this slug. */
export async function findAccountBySlug(db: Queryable, slug: string): Promise<string | undefined> {
  const [row] = await query<{ accountId: string }>(
    db,
    'account_find_by_slug',
    sql`select account_id as "accountId" from account_slugs where slug = ${slug}`,
  );
  return row?.accountId;
}

interface DescribedAccount {
  slug: string;
  displayName: string;
  timeZone: string;
  defaultCurrency: string | null;
}

/** Reads the names, the time zone and the currency of an account. */
export async function describeAccount(db: Queryable, accountId: string): Promise<DescribedAccount> {
  const [row] = await query<DescribedAccount>(
    db,
    'account_describe',
    sql`select account_slugs.slug, accounts.display_name as "displayName",
        accounts.time_zone as "timeZone", accounts.default_currency as "defaultCurrency"
      from accounts join account_slugs using (account_id) where accounts.account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row;
}

/** Finds the day that it is now at an account, such as 2026-11-30. */
export async function findToday(db: Queryable, accountId: string): Promise<string> {
  const { timeZone } = await describeAccount(db, accountId);
  return new TZDate(Date.now(), timeZone).toISOString().slice(0, 10);
}

/** Reserves a slug for a new account. Returns false when another account has it, or reserves it at the same time. */
export async function reserveSlug(
  tx: Queryable,
  accountId: string,
  slug: string,
): Promise<boolean> {
  const rows = await query(
    tx,
    'account_slug_reserve',
    sql`insert into account_slugs (slug, account_id) values (${slug}, ${accountId})
      on conflict (slug) do nothing returning slug`,
  );
  return rows.length > 0;
}

/** Releases the slug of an account. Returns false when the account does not have it. */
export async function releaseSlug(
  tx: Queryable,
  accountId: string,
  slug: string,
): Promise<boolean> {
  const rows = await query(
    tx,
    'account_slug_release',
    sql`delete from account_slugs where slug = ${slug} and account_id = ${accountId} returning slug`,
  );
  return rows.length > 0;
}

/** Raises the version of an organization: what `GET /organization` answers has changed. */
export async function raiseOrganizationVersion(tx: Queryable, accountId: string): Promise<void> {
  await query(
    tx,
    'organization_version_raise',
    sql`update accounts set version = version + 1 where account_id = ${accountId}`,
  );
}

/** Deletes an account. PostgreSQL deletes its rows of all tables that refer to the account. */
export async function deleteAccountRow(tx: Queryable, accountId: string): Promise<void> {
  await query(
    tx,
    'account_slugs_delete',
    sql`delete from account_slugs where account_id = ${accountId}`,
  );
  await query(tx, 'account_delete', sql`delete from accounts where account_id = ${accountId}`);
}

/** Inserts an account whose stock clock has not ticked yet. */
export async function insertAccount(
  tx: Queryable,
  accountId: string,
  organization: Organization,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'account_insert',
    sql`insert into accounts (account_id, stock_clock, created_at, ${organizationRow.columns})
      select ${accountId}, ${new Date(0)}, ${now}, ${organizationRow.recordValues}
      from jsonb_to_recordset(${JSON.stringify([organization])}::jsonb)
        as r(${organizationRow.recordType})`,
  );
}

/**
 * Locks an account until the transaction ends. Other callers of this function wait, and so do changes of the account's stock.
 * Imports of contacts do not wait.
 */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await query(
    tx,
    'account_lock',
    sql`select account_id from accounts where account_id = ${accountId} for no key update`,
  );
}

/** Reads the fields of an organization. Throws when the account is gone. */
export async function readOrganization(tx: Queryable, accountId: string): Promise<Organization> {
  const [row] = await query<Organization>(
    tx,
    'organization_read',
    sql`select ${organizationRow.select('accounts')} from accounts where account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row;
}

/** An organization with the slug of its account, and its version. */
export type VersionedOrganization = Organization & { slug: string; version: number };

/**
 * Finds the organization with its slug and version. Throws an Error for an unknown account, which is a fault of the caller: the id
 * comes from a principal, whose account exists.
 */
export async function findOrganization(
  db: Queryable,
  accountId: string,
): Promise<VersionedOrganization> {
  const [row] = await query<VersionedOrganization>(
    db,
    'organization_find',
    sql`select ${organizationRow.select('accounts')}, account_slugs.slug, accounts.version
      from accounts join account_slugs using (account_id) where accounts.account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row;
}

/**
 * Updates an organization. The caller has raised the revision, and ticked the stock clock when a field changes that the stock
 * endpoints show.
 */
export async function updateOrganization(
  tx: Queryable,
  accountId: string,
  organization: Organization,
): Promise<void> {
  await query(
    tx,
    'organization_update',
    sql`update accounts
      set version = accounts.version + 1, revision = ${selectRevision(accountId)},
        ${organizationRow.updateAssignments}
      from jsonb_to_recordset(${JSON.stringify([organization])}::jsonb)
        as r(${organizationRow.recordType})
      where accounts.account_id = ${accountId}`,
  );
}
