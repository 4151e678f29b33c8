import sql, { empty, raw } from 'sql-template-tag';
import { query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { activityRow, contactRow, linkRow, tagRow } from './columns.ts';
import type { Activity, Contact, FullContact, Label, Link, RowOfContact } from './schemas.ts';

/**
 * Locks emails of an account until the transaction ends. The caller locks the emails of all contacts that it may write
 * before it reads them. `where false` locks an existing row without writing it. The sorted order prevents deadlocks.
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

const PAGE_MAX_CONTACTS = 1_000;

/** Reads the contacts of an account in the order of their ids, page by page. */
export async function* readContactPages(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<FullContact[]> {
  let firstId: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (firstId !== undefined) {
    // Read one contact more than the page has. The next page begins with it.
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

/** Adds their tags, activities and links to contacts. PostgreSQL would join these tables in nested loops, so each has a statement. */
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

/** Finds the contacts that have one of these ids or emails. Returns the id and the email key of each. */
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

/** Finds the ids of the units, among these, to which a contact is linked. */
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

/** The rows that a plan inserts and updates. A tag has no id yet. */
export interface Changes {
  inserted: Contact[];
  updated: Contact[];
  tags: RowOfContact<{ tag: Label }>[];
  activities: RowOfContact<Activity>[];
  links: RowOfContact<Link>[];
}

/** Changes whose tags have got their ids. */
export type WritableChanges = Omit<Changes, 'tags'> & {
  tags: RowOfContact<{ tagId: string }>[];
};

/**
 * Writes the changes of a plan, with one statement for each table, all sent together. Inserts no tag or link that exists.
 * Updates contacts by an upsert, since an UPDATE with a join takes quadratic time for thousands of rows.
 */
export async function writeChanges(
  tx: Queryable,
  accountId: string,
  { inserted, updated, tags, activities, links }: WritableChanges,
): Promise<void> {
  const insert = (
    table: string,
    row: typeof linkRow,
    rows: object[],
    onConflict = sql`on conflict do nothing`,
  ) =>
    rows.length > 0 &&
    query(
      tx,
      `${table}_write`,
      sql`insert into ${raw(table)} (account_id, ${row.columns})
        select ${accountId}, ${row.recordValues}
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(${row.recordType})
        ${onConflict}`,
    );
  const contacts = [...inserted, ...updated].map(dropNullFields);
  const update = sql`on conflict (account_id, id) do update set ${contactRow.upsertAssignments}`;
  await Promise.all([
    insert('contacts', contactRow, contacts, update),
    insert('contact_tags', tagRow, tags),
    insert('activities', activityRow, activities, empty),
    insert('contact_links', linkRow, links),
  ]);
}

/** Leaves the null fields of a contact out of its JSON: PostgreSQL reads a missing field as null. */
function dropNullFields(contact: Contact): object {
  const fields = contactRow.fieldNames as (keyof typeof contact)[];
  return Object.fromEntries(
    fields.flatMap((field) => (contact[field] === null ? [] : [[field, contact[field]]])),
  );
}
