import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { Contact } from '../schemas.ts';

/** One of several contacts with one email, as far as tells them apart. */
interface DuplicateContact {
  id: string;
  email: string;
  name: string | null;
  stage: Contact['stage'];
  importedAt: Date | null;
  archivedAt: Date | null;
  /** How many it has. */
  activities: number;
}

/** An email that more than one contact has: its key, and the contacts in the order of their ids. */
export interface DuplicateEmail {
  email: string;
  contacts: DuplicateContact[];
}

/** The emails of an account that more than one contact has, in the order of their keys. */
export async function duplicatesList(db: Queryable, accountId: string): Promise<DuplicateEmail[]> {
  const rows = await query<DuplicateContact & { emailKey: string }>(
    db,
    'duplicates_list',
    sql`select email_key as "emailKey", id, email, name, stage, imported_at as "importedAt",
        archived_at as "archivedAt",
        (
          select count(*)::int from activities
          where activities.account_id = ${accountId} and activities.contact_id = c.id
        ) as activities
      from contacts c
      where account_id = ${accountId} and email_key in (
        select email_key from contacts where account_id = ${accountId}
        group by email_key having count(*) > 1
      )
      order by email_key, id`,
  );
  return [...Map.groupBy(rows, ({ emailKey }) => emailKey)].map(([email, contacts]) => ({
    email,
    contacts: contacts.map(({ emailKey: _key, ...contact }) => contact),
  }));
}
