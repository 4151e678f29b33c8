import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { contactRow } from '../columns.ts';
import type { Contact } from '../schemas.ts';
import { findContactKeys } from '../store.ts';
import { writeChanges } from '../write.ts';
import type { KeyedContact, MergeChanges, MergingContact } from './rules.ts';

/** The facts that distinguish contacts with one email. */
interface DuplicateContact extends Pick<Contact, 'id' | 'email' | 'name' | 'stage'> {
  importedAt: Date | null;
  archivedAt: Date | null;
  /** The number of its activities. */
  activities: number;
}

/** An email that several contacts have: its key, and the contacts in the order of their ids. */
export interface DuplicateEmail {
  email: string;
  contacts: DuplicateContact[];
}

const countActivities = (accountId: string) => sql`(
    select count(*)::int from activities
    where activities.account_id = ${accountId} and activities.contact_id = c.id
  ) as activities`;

/** Lists the emails of an account that several contacts have, in the order of their keys. */
export async function listDuplicates(db: Queryable, accountId: string): Promise<DuplicateEmail[]> {
  const rows = await query<DuplicateContact & { emailKey: string }>(
    db,
    'duplicates_list',
    sql`select email_key as "emailKey", id, email, name, stage, imported_at as "importedAt",
        archived_at as "archivedAt", ${countActivities(accountId)}
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

/** Finds the key of a contact's email; undefined when the account has no such contact. */
export async function findEmailKey(
  tx: Queryable,
  accountId: string,
  contactId: string,
): Promise<string | undefined> {
  const [row] = await findContactKeys(tx, accountId, { ids: [contactId].filter(isUuid) });
  return row?.emailKey;
}

type Row = Omit<KeyedContact, 'importedAt' | 'archivedAt'> &
  Omit<MergingContact, 'contact'> & { importedAt: Date | null; archivedAt: Date | null };

/** Finds contacts of the account with the rows that belong to them, in one statement. */
export async function findMergingContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<MergingContact[]> {
  const rows = await query<Row>(
    tx,
    'merging_contacts_find',
    sql`select ${contactRow.fields},
        (
          select coalesce(json_agg(json_build_object('id', id, 'tagId', tag_id)), '[]')
          from contact_tags
          where contact_tags.account_id = ${accountId} and contact_tags.contact_id = c.id
        ) as tags,
        (
          select coalesce(
            json_agg(json_build_object('id', id, 'projectId', project_id, 'unitId', unit_id)), '[]')
          from contact_links
          where contact_links.account_id = ${accountId} and contact_links.contact_id = c.id
        ) as links,
        ${countActivities(accountId)}
      from contacts c
      where c.account_id = ${accountId} and c.id = any(${ids.filter(isUuid)}::uuid[])`,
  );
  return rows.map(({ tags, links, activities, importedAt, archivedAt, ...row }) => ({
    contact: {
      ...row,
      importedAt: importedAt?.toISOString() ?? null,
      archivedAt: archivedAt?.toISOString() ?? null,
    },
    tags,
    links,
    activities,
  }));
}

/** Writes a merge. Rows move before their contacts are deleted, since a deleted contact takes its rows with it. */
export async function writeMerge(
  tx: Queryable,
  accountId: string,
  keepId: string,
  { updated, movedTags, movedLinkIds, removedIds }: MergeChanges,
): Promise<void> {
  if (updated.length > 0)
    await writeChanges(tx, accountId, { inserted: [], updated, tagged: [], noted: [], linked: [] });
  const statements = {
    // A tag keeps its id, which is its place in the order.
    merged_tags_move: sql`update contact_tags set contact_id = ${keepId}
      from jsonb_to_recordset(${JSON.stringify(movedTags)}::jsonb) as r("contactId" uuid, "tagId" uuid)
      where contact_tags.account_id = ${accountId} and contact_tags.contact_id = r."contactId"
        and contact_tags.tag_id = r."tagId"`,
    merged_links_move: sql`update contact_links set contact_id = ${keepId}
      where account_id = ${accountId} and id = any(${movedLinkIds}::uuid[])`,
    merged_activities_move: sql`update activities set contact_id = ${keepId}
      where account_id = ${accountId} and contact_id = any(${removedIds}::uuid[])`,
    merged_contacts_delete: sql`delete from contacts
      where account_id = ${accountId} and id = any(${removedIds}::uuid[])`,
  };
  for (const [name, statement] of Object.entries(statements)) await query(tx, name, statement);
}
