import sql, { raw } from 'sql-template-tag';
import { query, type Queryable } from '../database/query.ts';
import { emailKey } from '../text.ts';

/** What an account says of itself; the logo by its key. */
export interface Organization {
  companyName: string;
  displayName: string;
  intro: string | null;
  email: string;
  phone: string | null;
  location: string;
  websiteUrl: string;
  logoImage: string | null;
}

export interface User {
  id: string;
  email: string;
  name: string;
  active: boolean;
}

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
export const organizationFields = list((field, column) => `${column} as "${field}"`);
const organizationColumns = list((_field, column) => column);
const organizationValues = list((field) => `r."${field}"`);
const organizationDefinition = list((field) => `"${field}" text`);
const organizationAssignments = list((field, column) => `${column} = r."${field}"`);

/** Takes a slug for a new account. False when another account has it: one that was just made, too. */
export async function accountSlugTake(
  tx: Queryable,
  accountId: string,
  slug: string,
): Promise<boolean> {
  const rows = await query(
    tx,
    'account_slug_take',
    sql`insert into account_slugs (slug, account_id) values (${slug}, ${accountId})
      on conflict (slug) do nothing returning slug`,
  );
  return rows.length > 0;
}

/** Makes an account, its stock clock never ticked. */
export async function accountInsert(
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
export async function accountHold(tx: Queryable, accountId: string): Promise<void> {
  await query(
    tx,
    'account_hold',
    sql`select account_id from accounts where account_id = ${accountId} for no key update`,
  );
}

/** To be called in a transaction that has ticked the stock clock: the stock endpoints show it. */
export async function organizationUpdate(
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

export async function usersInsert(tx: Queryable, accountId: string, users: User[]): Promise<void> {
  await query(
    tx,
    'users_insert',
    sql`insert into users (account_id, id, email, email_key, name, active)
      select ${accountId}, r.id, r.email, r."emailKey", r.name, r.active
      from jsonb_to_recordset(${withKeys(users)}::jsonb)
        as r(id uuid, email text, "emailKey" text, name text, active boolean)`,
  );
}

export async function usersUpdate(tx: Queryable, accountId: string, users: User[]): Promise<void> {
  const rows = withKeys(users);
  // Two users may swap their emails: those that change are given up before any is taken.
  await query(
    tx,
    'user_emails_give_up',
    sql`update users set email_key = users.id::text
      from jsonb_to_recordset(${rows}::jsonb) as r(id uuid, "emailKey" text)
      where users.account_id = ${accountId} and users.id = r.id and users.email_key <> r."emailKey"`,
  );
  await query(
    tx,
    'users_update',
    sql`update users set email = r.email, email_key = r."emailKey", name = r.name, active = r.active
      from jsonb_to_recordset(${rows}::jsonb)
        as r(id uuid, email text, "emailKey" text, name text, active boolean)
      where users.account_id = ${accountId} and users.id = r.id`,
  );
}

function withKeys(users: User[]): string {
  return JSON.stringify(users.map((user) => ({ ...user, emailKey: emailKey(user.email) })));
}
