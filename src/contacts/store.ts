import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import { contactRow } from './columns.ts';
import type { Activity, Contact, Link } from './schemas.ts';

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

/** A contact and everything that hangs on it, each list in the order of its ids. */
export interface ContactWithAll {
  contact: Contact;
  tagIds: string[];
  activities: Activity[];
  links: Link[];
}

type ContactRow = Omit<Contact, 'importedAt' | 'archivedAt'> & {
  emailKey: string;
  importedAt: Date | null;
  archivedAt: Date | null;
};

const PAGE = 1_000;

/** Reads the contacts of an account in the order of their ids, page by page. */
export async function* readContactPages(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<ContactWithAll[]> {
  let from: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (from !== undefined) {
    // One row more than a page: the next page begins with it.
    const rows: ContactRow[] = await query<ContactRow>(
      tx,
      'contacts_page_read',
      sql`select ${contactRow.fields} from contacts c
        where c.account_id = ${accountId} and c.id >= ${from} order by c.id limit ${PAGE + 1}`,
    );
    from = rows[PAGE]?.id;
    const page = await addListsOf(tx, accountId, rows.slice(0, PAGE));
    if (page.length > 0) yield page;
  }
}

export async function findContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<ContactWithAll[]> {
  if (ids.length === 0) return [];
  const rows = await query<ContactRow>(
    tx,
    'contacts_find',
    sql`select ${contactRow.fields} from contacts c
      where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])`,
  );
  return addListsOf(tx, accountId, rows);
}

// Each table has a statement of its own, so that no plan joins them in nested loops.
async function addListsOf(
  tx: Queryable,
  accountId: string,
  rows: ContactRow[],
): Promise<ContactWithAll[]> {
  const ids = rows.map(({ id }) => id);
  const byContact = ({ contactId }: { contactId: string }) => contactId;
  const tags = Map.groupBy(await readTagIds(tx, accountId, ids), byContact);
  const activities = Map.groupBy(await readActivities(tx, accountId, ids), byContact);
  const links = Map.groupBy(await readLinks(tx, accountId, ids), byContact);
  return rows.map(({ emailKey: _key, importedAt, archivedAt, ...row }) => ({
    contact: {
      ...row,
      importedAt: importedAt?.toISOString() ?? null,
      archivedAt: archivedAt?.toISOString() ?? null,
    },
    tagIds: (tags.get(row.id) ?? []).map(({ tagId }) => tagId),
    activities: (activities.get(row.id) ?? []).map(({ type, body, occurredAt }) => ({
      type,
      body,
      occurredAt: occurredAt.toISOString(),
    })),
    links: (links.get(row.id) ?? []).map(({ projectId, unitId }) => ({ projectId, unitId })),
  }));
}

function readTagIds(tx: Queryable, accountId: string, contactIds: string[]) {
  return query<{ contactId: string; tagId: string }>(
    tx,
    'contact_tags_read',
    sql`select contact_id as "contactId", tag_id as "tagId" from contact_tags
      where account_id = ${accountId} and contact_id = any(${contactIds}::uuid[]) order by id`,
  );
}

function readActivities(tx: Queryable, accountId: string, contactIds: string[]) {
  return query<{ contactId: string; type: 'note'; body: string; occurredAt: Date }>(
    tx,
    'contact_activities_read',
    sql`select contact_id as "contactId", type, body, occurred_at as "occurredAt" from activities
      where account_id = ${accountId} and contact_id = any(${contactIds}::uuid[]) order by id`,
  );
}

function readLinks(tx: Queryable, accountId: string, contactIds: string[]) {
  return query<{ contactId: string; projectId: string; unitId: string | null }>(
    tx,
    'contact_links_read',
    sql`select contact_id as "contactId", project_id as "projectId", unit_id as "unitId"
      from contact_links
      where account_id = ${accountId} and contact_id = any(${contactIds}::uuid[]) order by id`,
  );
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
