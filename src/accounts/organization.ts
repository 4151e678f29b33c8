import sql, { raw } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import type { Organization } from './schemas.ts';

const ORGANIZATION_COLUMNS: Record<keyof Organization, string> = {
  companyName: 'company_name',
  displayName: 'display_name',
  intro: 'intro',
  email: 'email',
  phone: 'phone',
  location: 'location',
  websiteUrl: 'website_url',
  logoImage: 'logo_image_key',
};

const columns = Object.entries(ORGANIZATION_COLUMNS);
const list = (each: (field: string, column: string) => string) =>
  raw(columns.map(([field, column]) => each(field, column)).join(', '));

/** `company_name as "companyName", …`: an organization as a row. */
const organizationFields = list((field, column) => `${column} as "${field}"`);
const organizationColumns = list((_field, column) => column);
const organizationValues = list((field) => `r."${field}"`);
const organizationDefinition = list((field) => `"${field}" text`);
const organizationAssignments = list((field, column) => `${column} = r."${field}"`);

/** Takes a slug for a new account. False when another account has it: one that was just made, too. */
export async function takeSlug(tx: Queryable, accountId: string, slug: string): Promise<boolean> {
  const rows = await query(
    tx,
    'account_slug_take',
    sql`insert into account_slugs (slug, account_id) values (${slug}, ${accountId})
      on conflict (slug) do nothing returning slug`,
  );
  return rows.length > 0;
}

/** Makes an account, its stock clock never ticked. */
export async function insertAccount(
  tx: Queryable,
  accountId: string,
  organization: Organization,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'account_insert',
    sql`insert into accounts (account_id, stock_clock, created_at, ${organizationColumns})
      select ${accountId}, ${new Date(0)}, ${now}, ${organizationValues}
      from jsonb_to_record(${JSON.stringify(organization)}::jsonb) as r(${organizationDefinition})`,
  );
}

/**
 * Holds an account until the transaction ends, against others that do the same or change its stock. Who
 * imports contacts or makes keys does not wait for it.
 */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await query(
    tx,
    'account_hold',
    sql`select account_id from accounts where account_id = ${accountId} for no key update`,
  );
}

/** To be called in a transaction that has ticked the stock clock: the stock endpoints show it. */
export async function updateOrganization(
  tx: Queryable,
  accountId: string,
  organization: Organization,
): Promise<void> {
  await query(
    tx,
    'organization_update',
    sql`update accounts set ${organizationAssignments}
      from jsonb_to_record(${JSON.stringify(organization)}::jsonb) as r(${organizationDefinition})
      where accounts.account_id = ${accountId}`,
  );
}

export async function readOrganization(tx: Queryable, accountId: string): Promise<Organization> {
  const [row] = await query<Organization>(
    tx,
    'organization_read',
    sql`select ${organizationFields} from accounts where account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row;
}
