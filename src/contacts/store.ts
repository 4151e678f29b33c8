import sql, { raw } from 'sql-template-tag';
import { query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { activityRow, contactRow, linkRow, tagRow } from './columns.ts';
import type { Activity, Contact, ContactWithAll, Link, RowOfContact } from './schemas.ts';

/**
 * Locks emails of an account until the transaction ends. A transaction locks the emails of all contacts that it may write,
 * before it reads them. `where false` locks an existing row without writing it again. The keys are sorted, so that two
 * transactions cannot wait for each other.
 */
export async function lockEmails(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
): Promise<void> {
  if (emailKeys.length === 0) return;
  const sorted = [...new Set(emailKeys)].toSorted();
  await query(
    tx,
    'emails_lock',
    sql`insert into email_locks (account_id, email_key)
      select ${accountId}, email_key from unnest(${sorted}::text[]) as email_key
      on conflict (account_id, email_key) do update set email_key = excluded.email_key where false`,
  );
}

const PAGE = 1_000;

/** Reads the contacts of an account in the order of their ids, page by page. */
export async function* readContactPages(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<ContactWithAll[]> {
  let from: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (from !== undefined) {
    // One row more than a page: the next page begins with it.
    const contacts: Contact[] = await queryStoredRows<Contact>(
      tx,
      'contacts_page_read',
      sql`select ${contactRow.select('contacts')} from contacts
        where account_id = ${accountId} and id >= ${from} order by id limit ${PAGE + 1}`,
    );
    from = contacts[PAGE]?.id;
    const page = await addRows(tx, accountId, contacts.slice(0, PAGE));
    if (page.length > 0) yield page;
  }
}

export async function findContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<ContactWithAll[]> {
  if (ids.length === 0) return [];
  const contacts = await queryStoredRows<Contact>(
    tx,
    'contacts_find',
    sql`select ${contactRow.select('contacts')} from contacts
      where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
  return addRows(tx, accountId, contacts);
}

/** Reads the rows that belong to contacts. A statement for each table keeps PostgreSQL from joining them in nested loops. */
async function addRows(
  tx: Queryable,
  accountId: string,
  contacts: Contact[],
): Promise<ContactWithAll[]> {
  const ids = contacts.map(({ id }) => id);

  async function readRows<Fields>(table: string, { select }: typeof linkRow) {
    const rows = await queryStoredRows<RowOfContact<Fields>>(
      tx,
      `${table}_read`,
      sql`select ${select(table)} from ${raw(table)}
        where account_id = ${accountId} and contact_id = any(${ids}::uuid[]) order by id`,
    );
    const rowsOf = Map.groupBy(rows, ({ contactId }) => contactId);
    return (contact: Contact) => rowsOf.get(contact.id) ?? [];
  }

  const tagsOf = await readRows<{ tagId: string }>('contact_tags', tagRow);
  const activitiesOf = await readRows<Activity>('activities', activityRow);
  const linksOf = await readRows<Link>('contact_links', linkRow);
  return contacts.map((contact) => ({
    contact,
    tags: tagsOf(contact),
    activities: activitiesOf(contact),
    links: linksOf(contact),
  }));
}

/** Finds the contacts that have one of these ids or one of these emails: the id and the email's key of each. */
export function findContactKeys(
  tx: Queryable,
  accountId: string,
  { ids, emailKeys = [] }: { ids: string[]; emailKeys?: string[] },
) {
  return query<{ id: string; emailKey: string }>(
    tx,
    'contact_keys_find',
    sql`select id, email_key as "emailKey" from contacts
        where account_id = ${accountId} and id = any(${ids}::uuid[])
      union
      select id, email_key from contacts
        where account_id = ${accountId} and email_key = any(${emailKeys})
      order by id`,
  );
}

/** Finds which of these units a contact is linked to. */
export async function findLinkedUnits(
  tx: Queryable,
  accountId: string,
  units: { id: string; projectId: string }[],
): Promise<Set<string>> {
  const projectIds = units.map(({ projectId }) => projectId);
  const rows = await query<{ unitId: string }>(
    tx,
    'linked_units_find',
    sql`select distinct unit_id as "unitId" from contact_links
      where account_id = ${accountId} and project_id = any(${projectIds}::uuid[])
        and unit_id = any(${units.map(({ id }) => id)}::uuid[])`,
  );
  return new Set(rows.map(({ unitId }) => unitId));
}
