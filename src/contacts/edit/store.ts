import sql from 'sql-template-tag';
import { query, queryStoredRows, type Queryable } from '../../platform/database/index.ts';
import { contactRow, linkRow } from '../columns.ts';
import type { Contact, Link, RowOfContact } from '../schemas.ts';
import { refreshMarks } from '../marks-store.ts';
import type { ContactTag, EditableContact } from './rules.ts';

/** Reads contacts with their tags and links, in the order of their ids. */
export async function readEditable(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<EditableContact[]> {
  const contacts = await queryStoredRows<Contact & { version: number }>(
    tx,
    'contacts_read_editable',
    sql`select ${contactRow.select('contacts')}, version from contacts
      where account_id = ${accountId} and id = any(${ids}::uuid[]) order by id`,
  );
  const tags = await query<ContactTag>(
    tx,
    'contact_tags_read_editable',
    sql`select contact_tags.id, contact_id as "contactId", tag_id as "tagId", label, label_key as "labelKey"
      from contact_tags join tags on tags.account_id = contact_tags.account_id and tags.id = contact_tags.tag_id
      where contact_tags.account_id = ${accountId} and tags.account_id = ${accountId}
        and contact_id = any(${ids}::uuid[])
      order by contact_tags.id`,
  );
  const links = await query<RowOfContact<Link>>(
    tx,
    'contact_links_read_editable',
    sql`select ${linkRow.select('contact_links')} from contact_links
      where account_id = ${accountId} and contact_id = any(${ids}::uuid[]) order by id`,
  );
  const tagsOf = Map.groupBy(tags, ({ contactId }) => contactId);
  const linksOf = Map.groupBy(links, ({ contactId }) => contactId);
  return contacts.map(({ version, ...contact }) => ({
    contact,
    version,
    tags: tagsOf.get(contact.id) ?? [],
    links: linksOf.get(contact.id) ?? [],
  }));
}

/** Removes tags and links from contacts. */
export async function removeTagsAndLinks(
  tx: Queryable,
  accountId: string,
  { tags, links }: { tags: ContactTag[]; links: RowOfContact<Link>[] },
): Promise<void> {
  const contactIds = [...new Set([...tags, ...links].map(({ contactId }) => contactId))];
  if (contactIds.length === 0) return;
  if (tags.length > 0)
    await query(
      tx,
      'contact_tags_remove',
      sql`delete from contact_tags
        using unnest(${tags.map(({ contactId }) => contactId)}::uuid[], ${tags.map(({ tagId }) => tagId)}::uuid[])
          as removed (contact_id, tag_id)
        where account_id = ${accountId} and contact_tags.contact_id = removed.contact_id
          and contact_tags.tag_id = removed.tag_id`,
    );
  if (links.length > 0)
    await query(
      tx,
      'contact_links_remove',
      sql`delete from contact_links
        where account_id = ${accountId} and id = any(${links.map(({ id }) => id)}::uuid[])`,
    );
  await refreshMarks(tx, accountId, contactIds);
}

/** Finds a project that is not archived, with its units that are not withdrawn. */
export async function findLinkable(
  tx: Queryable,
  accountId: string,
  projectId: string,
): Promise<{ unitIds: string[] } | undefined> {
  const [row] = await query<{ unitIds: string[] }>(
    tx,
    'project_find_linkable',
    sql`select array(
        select id from units
        where account_id = ${accountId} and project_id = ${projectId} and status <> 'Withdrawn'
      ) as "unitIds"
      from projects where account_id = ${accountId} and id = ${projectId} and publication <> 'archived'`,
  );
  return row;
}
