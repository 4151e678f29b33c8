import sql, { empty, raw } from 'sql-template-tag';
import { lockAccount, recordEvents, selectRevisionOfContact } from '../accounts/index.ts';
import { eraseChanges, type Author, type NewEvent } from '../events/index.ts';
import { query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { activityRow, contactRow, linkRow, tagRow, writtenContactRow } from './columns.ts';
import { toWrittenContact } from './list-values.ts';
import {
  ANSWER_TYPES,
  type Activity,
  type Contact,
  type FullContact,
  type Label,
  type Link,
  type RowOfContact,
} from './schemas.ts';

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
    sql`insert into email_locks (account_id, email_sha256)
      select account.account_id, sha256(convert_to(email_key, 'UTF8'))
      from accounts account cross join unnest(${sorted}::text[]) as email_key
      where account.account_id = ${accountId}
      on conflict (account_id, email_sha256) do update set email_sha256 = excluded.email_sha256 where false`,
  );
}

/**
 * Locks the emails of contacts, and further ones that contacts get. The lock on the account stops edits and loads of account
 * files, which could change the emails of these contacts.
 */
export async function lockContactEmails(
  tx: Queryable,
  accountId: string,
  ids: string[],
  furtherKeys: string[] = [],
): Promise<void> {
  await lockAccount(tx, accountId);
  const keys = await findContactKeys(tx, accountId, { ids });
  await lockEmails(tx, accountId, [...keys.map(({ emailKey }) => emailKey), ...furtherKeys]);
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

/** Reads the enquiries of an account in the order of their ids, page by page. */
export async function* readEnquiryPages(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<RowOfContact<Activity>[]> {
  let lastId = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page: RowOfContact<Activity>[] = await queryStoredRows<RowOfContact<Activity>>(
      tx,
      'enquiries_page_read',
      sql`select ${activityRow.select('activities')} from activities
        where account_id = ${accountId} and id > ${lastId} and type = 'enquiry'
        order by id limit ${PAGE_MAX_CONTACTS}`,
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    lastId = last.id;
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

/** A contact as far as its email and its version go. */
export interface ContactVersion {
  id: string;
  email: string;
  /** Each change of the contact raises it. */
  version: number;
}

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

/** Removes contacts with their tags, activities, links and changes. The caller holds the locks of their emails. */
export async function removeContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
  { now, author }: { now: Date; author: Author },
): Promise<void> {
  const events = ids.map((id): NewEvent => ({ type: 'contact.erased', subject: id, data: {} }));
  await recordEvents(tx, accountId, [{ author, events }], { now });
  await eraseChanges(tx, accountId, ids);
  await query(
    tx,
    'contacts_remove',
    sql`delete from contacts where account_id = ${accountId} and id = any(${ids}::uuid[])`,
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
  /** The updated contacts that get another time of creation: their first answers are found anew. */
  redated: string[];
}

/** Changes whose tags have got their ids. */
export type WritableChanges = Omit<Changes, 'tags'> & {
  tags: RowOfContact<{ tagId: string }>[];
};

/** Gives the tags of changes their ids, by their keys. */
export function assignTagIds(changes: Changes, tagIds: Map<string, string>): WritableChanges {
  const tags = changes.tags.map(({ id, contactId, tag }) => {
    const tagId = tagIds.get(tag.key);
    if (tagId === undefined) throw new Error('a tag was neither found nor inserted');
    return { id, contactId, tagId };
  });
  return { ...changes, tags };
}

/**
 * Writes the changes of a plan, with one statement for each table, all sent together. Inserts no tag or link that exists.
 * The caller must have raised the revision by the number of all contacts that its transaction writes; `laterCount` of them
 * follow in further calls.
 */
export async function writeChanges(
  tx: Queryable,
  accountId: string,
  { inserted, updated, tags, activities, links, redated }: WritableChanges,
  laterCount = 0,
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
        select account.account_id, ${row.recordValues}
        from accounts account cross join json_to_recordset(${JSON.stringify(rows)}::json) as r(${row.recordType})
        where account.account_id = ${accountId} ${onConflict}`,
    );
  const now = new Date();
  const listOf = {
    tags: groupByContact(tags),
    activities: groupByContact(activities),
    links: groupByContact(links),
  };
  const written = [...inserted, ...updated];
  const contacts = written.map((contact, index) => ({
    ...dropNullFields(
      toWrittenContact(
        contact,
        {
          tags: listOf.tags(contact),
          activities: listOf.activities(contact),
          links: listOf.links(contact),
        },
        now,
      ),
    ),
    later: laterCount + written.length - 1 - index,
  }));
  const revision = selectRevisionOfContact(accountId, sql`r.later`);
  await Promise.all([
    contacts.length > 0 &&
      query(
        tx,
        'contacts_write',
        writtenContactRow.upsert('contacts', accountId, contacts, revision),
      ),
    insert('contact_tags', tagRow, tags),
    insert('activities', activityRow, activities, empty),
    insert('contact_links', linkRow, links),
    redated.length > 0 && refreshActivityTimes(tx, accountId, redated, now),
  ]);
}

/** Groups rows by their contacts. Returns a function that gives the rows of a contact. */
function groupByContact<Fields>(rows: RowOfContact<Fields>[]) {
  const rowsOf = Map.groupBy(rows, ({ contactId }) => contactId);
  return ({ id }: Contact) => rowsOf.get(id) ?? [];
}

/** Leaves the null fields of a contact out of its JSON: PostgreSQL reads a missing field as null. */
function dropNullFields(contact: ReturnType<typeof toWrittenContact>): object {
  const fields = writtenContactRow.fieldNames as (keyof typeof contact)[];
  return Object.fromEntries(
    fields.flatMap((field) => (contact[field] === null ? [] : [[field, contact[field]]])),
  );
}

/** Deletes a contact with its tags, activities and links. The caller holds the lock of its email, and has raised the revision. */
export async function deleteContact(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'contact_delete',
    sql`delete from contacts where account_id = ${accountId} and id = ${id}`,
  );
}

/** Deletes all contacts of an account, with their tags, activities and links. */
export async function deleteContacts(tx: Queryable, accountId: string): Promise<void> {
  await query(tx, 'contacts_delete', sql`delete from contacts where account_id = ${accountId}`);
}

/** Finds the contacts that are assigned to a person. */
export async function findAssignedContacts(
  tx: Queryable,
  accountId: string,
  userId: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'contacts_find_assigned',
    sql`select id from contacts
      where account_id = ${accountId} and assigned_account_user_id = ${userId}`,
  );
  return rows.map(({ id }) => id);
}

/** Assigns contacts to a person, or to nobody. The caller has locked their emails and raised the revision by their number. */
export async function reassignContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
  userId: string | null,
): Promise<void> {
  await query(
    tx,
    'contacts_reassign',
    sql`update contacts
      set assigned_account_user_id = ${userId}, version = version + 1,
        revision = ${selectRevisionOfContact(accountId, sql`(${ids.length} - place)`)}
      from unnest(${ids}::uuid[]) with ordinality as chosen(id, place)
      where account_id = ${accountId} and contacts.id = chosen.id`,
  );
}

/** Raises the versions of contacts of which something else changed. The caller has raised the revision by their number. */
export async function raiseContactVersions(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<void> {
  await query(
    tx,
    'contacts_raise_versions',
    sql`update contacts
      set version = version + 1, revision = ${selectRevisionOfContact(accountId, sql`(${ids.length} - place)`)}
      from unnest(${ids}::uuid[]) with ordinality as chosen(id, place)
      where account_id = ${accountId} and contacts.id = chosen.id`,
  );
}

/** Finds the latest activities and the first answers of contacts anew, after some activities were changed, moved or removed. */
export async function refreshActivityTimes(
  tx: Queryable,
  accountId: string,
  contactIds: string[],
  now: Date,
): Promise<void> {
  await query(
    tx,
    'contacts_refresh_activities',
    sql`update contacts set latest_activity_at = coalesce((
        select occurred_at from activities
        where activities.account_id = ${accountId} and activities.contact_id = contacts.id
          and occurred_at <= ${now}
        order by occurred_at desc, activities.id desc limit 1
      ), case when created_at > ${now} then ${now}::timestamptz end), first_answer_at = (
        select min(occurred_at) from activities
        where activities.account_id = ${accountId} and activities.contact_id = contacts.id
          and type = any(${ANSWER_TYPES}) and occurred_at >= contacts.created_at
      )
      where account_id = ${accountId} and id = any(${contactIds}::uuid[])`,
  );
}

/** Finds out anew whether contacts have tags and links, and of which projects, after some were moved or removed. */
export async function refreshMarks(
  tx: Queryable,
  accountId: string,
  contactIds: string[],
): Promise<void> {
  const ofContact = (alias: string) =>
    sql`${raw(alias)}.account_id = ${accountId} and ${raw(alias)}.contact_id = contacts.id`;
  const hasTag = sql`exists (select from contact_tags tagged where ${ofContact('tagged')})`;
  const hasProject = sql`exists (select from contact_links link where ${ofContact('link')})`;
  const hasUnit = sql`exists (
    select from contact_links link where ${ofContact('link')} and link.unit_id is not null
  )`;
  const projectIds = sql`array(
    select distinct project_id from contact_links link where ${ofContact('link')} order by project_id
  )`;
  await query(
    tx,
    'contacts_refresh_marks',
    sql`update contacts set has_tag = ${hasTag}, has_project = ${hasProject}, has_unit = ${hasUnit}, project_ids = ${projectIds}
      where account_id = ${accountId} and id = any(${contactIds}::uuid[])
        and (has_tag <> ${hasTag} or has_project <> ${hasProject} or has_unit <> ${hasUnit}
          or project_ids <> ${projectIds})`,
  );
}
