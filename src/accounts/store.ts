import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

export interface AccountSummary {
  slug: string;
  companyName: string;
  createdAt: Date;
}

/** Every account of the installation: for its operator, never for a caller. */
export async function listAccounts(db: Queryable): Promise<AccountSummary[]> {
  return query<AccountSummary>(
    db,
    'account_list',
    sql`select account_slugs.slug, accounts.company_name as "companyName",
        accounts.created_at as "createdAt"
      from account_slugs join accounts using (account_id) order by account_slugs.slug`,
  );
}

export async function findAccountBySlug(db: Queryable, slug: string): Promise<string | undefined> {
  const [row] = await query<{ accountId: string }>(
    db,
    'account_find_by_slug',
    sql`select account_id as "accountId" from account_slugs where slug = ${slug}`,
  );
  return row?.accountId;
}
