import sql, { raw } from 'sql-template-tag';
import { query, queryStoredRows, readPages, type Queryable } from '../platform/database/index.ts';
import { activityRow, contactRow, linkRow, tagRow } from './columns.ts';
import type { Activity, Contact, FullContact, Link, RowOfContact } from './schemas.ts';
import { NIL_ID } from '../platform/text/index.ts';

/* Reads stored contacts with their tags, activities and links, for writers and account files. Lists and exports use `list/store.ts`. */

const PAGE_MAX_CONTACTS = 1_000;

/** Reads the contacts of an account in the order of their ids, page by page. */
export async function* readContactPages(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<FullContact[]> {
  let firstId: string | undefined = NIL_ID;
  while (firstId !== undefined) {
    // Read one contact more than the page has, with which the next page begins. `id >` would miss a contact with the nil UUID.
    const contacts: Contact[] = await queryStoredRows<Contact>(
      tx,
      'contacts_page_read',
      sql`select ${contactRow.select('contacts')} from contacts
        where account_id = ${accountId} and id >= ${firstId} order by id limit ${PAGE_MAX_CONTACTS + 1}`,
    );
    firstId = contacts[PAGE_MAX_CONTACTS]?.id;
    const page = await addDetails(tx, accountId, contacts.slice(0, PAGE_MAX_CONTACTS));
    if (page.length > 0) yield page;
  }
}

/** Reads the enquiries of an account in the order of their ids, page by page. */
export function readEnquiryPages(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<RowOfContact<Activity>[]> {
  return readPages((last) =>
    queryStoredRows<RowOfContact<Activity>>(
      tx,
      'enquiries_page_read',
      sql`select ${activityRow.select('activities')} from activities
        where account_id = ${accountId} and id > ${last?.id ?? NIL_ID} and type = 'enquiry'
        order by id limit ${PAGE_MAX_CONTACTS}`,
    ),
  );
}

/** Finds contacts with their tags and links. Unknown ids have no entry. */
export async function findContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<FullContact[]> {
  if (ids.length === 0) return [];
  const contacts = await queryStoredRows<Contact>(
    tx,
    'contacts_find',
    sql`select ${contactRow.select('contacts')} from contacts
      where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
  return addDetails(tx, accountId, contacts);
}

/** Adds tags, activities and links to contacts. Each table has its own statement, because PostgreSQL would join them in nested loops. */
async function addDetails(
  tx: Queryable,
  accountId: string,
  contacts: Contact[],
): Promise<FullContact[]> {
  const ids = contacts.map(({ id }) => id);

  async function readRows<Fields>(table: string, { select }: typeof linkRow) {
    const rows = await queryStoredRows<RowOfContact<Fields>>(
      tx,
      `${table}_read`,
      sql`select ${select(table)} from ${raw(table)}
        where account_id = ${accountId} and contact_id = any(${ids}::uuid[]) order by id`,
    );
    return groupByContact(rows);
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

/** Finds the contacts with one of these ids or emails. Returns the id and the email key of each. */
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

/** The email and the version of a contact. */
export interface ContactVersion {
  id: string;
  email: string;
  /** Each change of the contact raises it. */
  version: number;
}

/** Finds the version and the email of contacts. Unknown ids have no entry. */
export function findContactVersions(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<ContactVersion[]> {
  return query<ContactVersion>(
    tx,
    'contact_versions_find',
    sql`select id, email, version from contacts
      where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

/** Finds which of these units are linked to a contact. */
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

/** Groups rows by their contacts. Returns a function that returns the rows of a contact. */
export function groupByContact<Fields>(rows: RowOfContact<Fields>[]) {
  const rowsOf = Map.groupBy(rows, ({ contactId }) => contactId);
  return ({ id }: Contact) => rowsOf.get(id) ?? [];
}

/** Finds up to `limit` contacts that are assigned to a person. There is an index for each half: active and archived contacts. */
export async function findAssignedContacts(
  tx: Queryable,
  accountId: string,
  userId: string,
  limit: number,
): Promise<string[]> {
  const assigned = sql`select id from contacts
    where account_id = ${accountId} and assigned_account_user_id = ${userId}`;
  const rows = await query<{ id: string }>(
    tx,
    'contacts_find_assigned',
    sql`${assigned} and archived_at is null
      union all ${assigned} and archived_at is not null
      limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
