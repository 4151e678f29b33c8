import sql, { empty } from 'sql-template-tag';
import { query, queryOnce, type Queryable } from '../../platform/database/index.ts';
import { countRows, cursorInvalid, type ListQuery } from '../../platform/http/index.ts';
import { isVisible, type Reader } from '../list/conditions.ts';
import { selectContacts, type ReadContact } from '../list/store.ts';
import type { Contact } from '../schemas.ts';

/** An email that several contacts have, and these contacts. */
export interface DuplicateGroup {
  email: string;
  contacts: ReadContact[];
}

/** Lists emails that several contacts have: one more than the limit if there are as many. */
export async function listDuplicateEmails(
  lists: Queryable,
  reader: Reader,
  { limit, after, isCounted }: ListQuery<unknown>,
): Promise<{ rows: DuplicateGroup[]; count?: number | undefined }> {
  const { accountId } = reader;
  const value = after?.value ?? '';
  if (typeof value !== 'string') throw cursorInvalid();
  const repeated = (isAfter = empty) => sql`select email_key from contacts
    where ${isVisible(reader)} ${isAfter} group by email_key having count(*) > 1`;
  const found = await queryOnce<ReadContact & { emailKey: string }>(
    lists,
    'duplicates_list_page',
    sql`with page as materialized (
        ${repeated(sql`and email_key > ${value}`)} order by email_key limit ${limit + 1}
      )
      select ${selectContacts(accountId, { withLinks: false })}
      from page join contacts on contacts.account_id = ${accountId} and contacts.email_key = page.email_key
      where ${isVisible(reader)}
      order by contacts.email_key, contacts.id`,
  );
  const groups = Map.groupBy(found, ({ emailKey }) => emailKey);
  const rows = [...groups].map(([email, contacts]) => ({ email, contacts }));
  if (!isCounted) return { rows };
  return { rows, count: await countRows(lists, 'duplicates_count', repeated()) };
}

/** A contact that shares its email with others, with the fields by which an operator tells them apart. */
interface DuplicateContact extends Pick<Contact, 'id' | 'email' | 'name' | 'stage'> {
  importedAt: Date | null;
  archivedAt: Date | null;
  /** How many activities the contact has. */
  activities: number;
}

/** An email that several contacts have, and these contacts in the order of their ids. */
export interface DuplicateEmail {
  /** The key of the email. */
  email: string;
  contacts: DuplicateContact[];
}

/** Lists all emails of an account that several contacts have, in the order of their keys, for the operator. */
export async function listDuplicates(db: Queryable, accountId: string): Promise<DuplicateEmail[]> {
  const rows = await query<DuplicateContact & { emailKey: string }>(
    db,
    'duplicates_list',
    sql`select email_key as "emailKey", id, email, name, stage, imported_at as "importedAt",
        archived_at as "archivedAt", (
          select count(*)::int from activities
          where activities.account_id = ${accountId} and activities.contact_id = contacts.id
        ) as activities
      from contacts
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
