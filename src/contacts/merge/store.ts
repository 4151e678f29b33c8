import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { contactRow } from '../columns.ts';
import type { Contact } from '../schemas.ts';
import { writeChanges } from '../write.ts';
import type { KeyedContact, MergeChanges, MergingContact } from './plan.ts';

/** What makes the email of a contact one with another's, or undefined when the account has no such contact. */
export async function emailKeyFind(
  tx: Queryable,
  accountId: string,
  contactId: string,
): Promise<string | undefined> {
  if (!isUuid(contactId)) return undefined;
  const [row] = await query<{ emailKey: string }>(
    tx,
    'contact_email_key_find',
    sql`select email_key as "emailKey" from contacts
      where account_id = ${accountId} and id = ${contactId}`,
  );
  return row?.emailKey;
}

type Row = Omit<KeyedContact, 'importedAt' | 'archivedAt'> &
  Omit<MergingContact, 'contact'> & { importedAt: Date | null; archivedAt: Date | null };

/** Reads those of the contacts that the account has, in one statement. */
export async function mergingContactsFind(
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
        (
          select count(*)::int from activities
          where activities.account_id = ${accountId} and activities.contact_id = c.id
        ) as activities
      from contacts c
      where c.account_id = ${accountId} and c.id = any(${ids.filter(isUuid)}::uuid[])`,
  );
  return rows.map(toMerging);
}

function toMerging({ tags, links, activities, ...row }: Row): MergingContact {
  const time = (date: Date | null): Contact['importedAt'] => date?.toISOString() ?? null;
  const { importedAt, archivedAt } = row;
  const contact = { ...row, importedAt: time(importedAt), archivedAt: time(archivedAt) };
  return { contact, tags, links, activities };
}

/** Writes what a merge changes: moves before it removes, since what is left on a contact goes with it. */
export async function mergeWrite(
  tx: Queryable,
  accountId: string,
  keepId: string,
  { updated, movedTags, movedLinkIds, removedIds }: MergeChanges,
): Promise<void> {
  if (updated.length > 0)
    await writeChanges(tx, accountId, { inserted: [], updated, tagged: [], noted: [], linked: [] });
  await tagsMove(tx, accountId, keepId, movedTags);
  await linksMove(tx, accountId, keepId, movedLinkIds);
  await activitiesMove(tx, accountId, keepId, removedIds);
  await contactsDelete(tx, accountId, removedIds);
}

// With the ids that they have, which are their order.
async function tagsMove(
  tx: Queryable,
  accountId: string,
  keepId: string,
  tags: MergeChanges['movedTags'],
): Promise<void> {
  await query(
    tx,
    'merged_tags_move',
    sql`update contact_tags set contact_id = ${keepId}
      from jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as r("contactId" uuid, "tagId" uuid)
      where contact_tags.account_id = ${accountId} and contact_tags.contact_id = r."contactId"
        and contact_tags.tag_id = r."tagId"`,
  );
}

async function linksMove(
  tx: Queryable,
  accountId: string,
  keepId: string,
  ids: string[],
): Promise<void> {
  await query(
    tx,
    'merged_links_move',
    sql`update contact_links set contact_id = ${keepId}
      where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

async function activitiesMove(
  tx: Queryable,
  accountId: string,
  keepId: string,
  fromIds: string[],
): Promise<void> {
  await query(
    tx,
    'merged_activities_move',
    sql`update activities set contact_id = ${keepId}
      where account_id = ${accountId} and contact_id = any(${fromIds}::uuid[])`,
  );
}

async function contactsDelete(tx: Queryable, accountId: string, ids: string[]): Promise<void> {
  await query(
    tx,
    'merged_contacts_delete',
    sql`delete from contacts where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}
