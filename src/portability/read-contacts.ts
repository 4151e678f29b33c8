import sql from 'sql-template-tag';
import { contactFields, type Contact } from '../contacts/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';
import { groupBy } from '../platform/text/index.ts';

type ContactRow = Omit<Contact, 'importedAt' | 'archivedAt'> & {
  emailKey: string;
  importedAt: Date | null;
  archivedAt: Date | null;
};

/** A contact with what hangs on it, each in the order of its ids. */
export interface ContactWithAll {
  contact: Contact;
  tagIds: string[];
  activities: { type: 'note'; body: string; occurredAt: string }[];
  links: { projectId: string; unitId: string | null }[];
}

const PAGE = 1_000;

/** The contacts of an account by id, in pages. */
export async function* contactPages(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<ContactWithAll[]> {
  let from: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (from !== undefined) {
    // One more than a page: where the next one begins.
    const rows = await contactsReadFrom(tx, accountId, from, PAGE + 1);
    from = rows[PAGE]?.id;
    const page = await withAll(tx, accountId, rows.slice(0, PAGE));
    if (page.length > 0) yield page;
  }
}

function contactsReadFrom(tx: Queryable, accountId: string, from: string, limit: number) {
  return query<ContactRow>(
    tx,
    'contacts_read_from',
    sql`select ${contactFields} from contacts c
      where c.account_id = ${accountId} and c.id >= ${from} order by c.id limit ${limit}`,
  );
}

export async function contactsFind(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<ContactWithAll[]> {
  if (ids.length === 0) return [];
  const rows = await query<ContactRow>(
    tx,
    'contacts_find',
    sql`select ${contactFields} from contacts c
      where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])`,
  );
  return withAll(tx, accountId, rows);
}

// One statement for each table: whatever the planner knows of their sizes, it cannot nest them.
async function withAll(
  tx: Queryable,
  accountId: string,
  rows: ContactRow[],
): Promise<ContactWithAll[]> {
  const ids = rows.map(({ id }) => id);
  const byContact = ({ contactId }: { contactId: string }) => contactId;
  const tags = groupBy(await tagsOfContacts(tx, accountId, ids), byContact);
  const activities = groupBy(await activitiesOfContacts(tx, accountId, ids), byContact);
  const links = groupBy(await linksOfContacts(tx, accountId, ids), byContact);
  return rows.map((row) => ({
    contact: toContact(row),
    tagIds: (tags.get(row.id) ?? []).map(({ tagId }) => tagId),
    activities: (activities.get(row.id) ?? []).map(({ occurredAt, ...activity }) => ({
      ...activity,
      occurredAt: occurredAt.toISOString(),
    })),
    links: links.get(row.id) ?? [],
  }));
}

function toContact({ emailKey: _key, importedAt, archivedAt, ...row }: ContactRow): Contact {
  return {
    ...row,
    importedAt: importedAt?.toISOString() ?? null,
    archivedAt: archivedAt?.toISOString() ?? null,
  };
}

function tagsOfContacts(tx: Queryable, accountId: string, ids: string[]) {
  return query<{ contactId: string; tagId: string }>(
    tx,
    'tags_of_contacts_read',
    sql`select contact_id as "contactId", tag_id as "tagId" from contact_tags
      where account_id = ${accountId} and contact_id = any(${ids}::uuid[]) order by id`,
  );
}

function activitiesOfContacts(tx: Queryable, accountId: string, ids: string[]) {
  return query<{ contactId: string; type: 'note'; body: string; occurredAt: Date }>(
    tx,
    'activities_of_contacts_read',
    sql`select contact_id as "contactId", type, body, occurred_at as "occurredAt" from activities
      where account_id = ${accountId} and contact_id = any(${ids}::uuid[]) order by id`,
  );
}

function linksOfContacts(tx: Queryable, accountId: string, ids: string[]) {
  return query<{ contactId: string; projectId: string; unitId: string | null }>(
    tx,
    'links_of_contacts_read',
    sql`select contact_id as "contactId", project_id as "projectId", unit_id as "unitId"
      from contact_links
      where account_id = ${accountId} and contact_id = any(${ids}::uuid[]) order by id`,
  );
}

/** The ids and emails' keys of the account's contacts that have one of these ids. */
export function contactKeysFindById(tx: Queryable, accountId: string, ids: string[]) {
  return query<{ id: string; key: string }>(
    tx,
    'contact_keys_find_by_id',
    sql`select id, email_key as key from contacts
      where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

/** The ids and emails' keys of the account's contacts that have one of these emails. */
export function contactKeysFindByEmail(tx: Queryable, accountId: string, emailKeys: string[]) {
  return query<{ id: string; key: string }>(
    tx,
    'contact_keys_find_by_email',
    sql`select id, email_key as key from contacts
      where account_id = ${accountId} and email_key = any(${emailKeys}) order by id`,
  );
}
