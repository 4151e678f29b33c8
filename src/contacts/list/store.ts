import sql, { type Sql } from 'sql-template-tag';
import { query, queryOnce, type Queryable } from '../../platform/database/index.ts';
import { countRows, type ListQuery } from '../../platform/http/index.ts';
import { contactRow } from '../columns.ts';
import type { Contact } from '../schemas.ts';
import { isVisible, matchesFilter, type Reader } from './conditions.ts';
import type { ContactFilter } from './filter.ts';
import { checkPlace, readOrder, selectIds } from './page.ts';

/** A contact as it is read: times are Dates. */
export type ReadContact = Omit<Contact, 'createdAt' | 'importedAt' | 'archivedAt'> & {
  createdAt: Date;
  importedAt: Date | null;
  archivedAt: Date | null;
  updatedAt: Date;
  lastActivityAt: Date;
  version: number;
  tags: { id: string; label: string }[];
  links: { id: string; projectId: string; unitId: string | null }[] | null;
  /** The value by which the list is sorted. */
  sortValue: Date | string | null;
};

/** Selects the columns of contacts with their tags and, if `withLinks` is set, their links. */
export function selectContacts(accountId: string, { withLinks }: { withLinks: boolean }): Sql {
  const links = sql`(
      select coalesce(json_agg(json_build_object('id', link.id, 'projectId', link.project_id, 'unitId', link.unit_id) order by link.id), '[]')
      from contact_links link
      where link.account_id = ${accountId} and link.contact_id = contacts.id
    )`;
  return sql`${contactRow.select('contacts')}, contacts.version, contacts.updated_at as "updatedAt",
    contacts.last_activity_at as "lastActivityAt", (
      select coalesce(json_agg(json_build_object('id', tagged.tag_id, 'label', (
          select label from tags where tags.account_id = ${accountId} and tags.id = tagged.tag_id
        )) order by tagged.id), '[]')
      from contact_tags tagged
      where tagged.account_id = ${accountId} and tagged.contact_id = contacts.id
    ) as tags, ${withLinks ? links : sql`null::json`} as links`;
}

/** Lists the contacts of a page, one more than its limit if there are as many, and counts all if that is asked for. */
export async function listContacts(
  lists: Queryable,
  reader: Reader,
  { filter, sort, limit, after, isCounted }: ListQuery<ContactFilter>,
  { withLinks }: { withLinks: boolean },
): Promise<{ rows: ReadContact[]; count?: number | undefined }> {
  const { accountId } = reader;
  if (after !== null) checkPlace(after, sort);
  const page = selectIds(reader, filter, { sort, after, limit: limit + 1 });
  const { column, direction } = readOrder(sort);
  const rows = await queryOnce<ReadContact>(
    lists,
    'contacts_list',
    sql`with page as materialized (${page})
      select ${selectContacts(accountId, { withLinks })}, page.value as "sortValue"
      from page join contacts on contacts.account_id = ${accountId} and contacts.id = page.id
      order by ${column} ${direction} nulls last, contacts.id ${direction}`,
  );
  if (!isCounted) return { rows };
  const matching = sql`select from contacts where ${matchesFilter(reader, filter)}`;
  return { rows, count: await countRows(lists, 'contacts_count', matching) };
}

/** Finds a contact that the principal may see. */
export async function findVisibleContact(
  db: Queryable,
  reader: Reader,
  id: string,
): Promise<ReadContact | undefined> {
  const { accountId } = reader;
  const [row] = await query<ReadContact>(
    db,
    `contact_find_${reader.contacts}`,
    sql`select ${selectContacts(accountId, { withLinks: true })}, null as "sortValue" from contacts
      where ${isVisible(reader)} and contacts.id = ${id}`,
  );
  return row;
}

/** Finds contacts by their ids, without those that the principal may not see. */
export function findVisibleContacts(
  db: Queryable,
  reader: Reader,
  ids: string[],
): Promise<ReadContact[]> {
  return query<ReadContact>(
    db,
    `contacts_find_${reader.contacts}`,
    sql`select ${selectContacts(reader.accountId, { withLinks: true })}, null as "sortValue" from contacts
      where ${isVisible(reader)} and contacts.id = any(${ids}::uuid[])`,
  );
}

/** Finds which of these contacts the caller may see. */
export async function findVisibleIds(
  db: Queryable,
  reader: Reader,
  ids: string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `contacts_find_visible_${reader.contacts}`,
    sql`select id from contacts where ${isVisible(reader)} and id = any(${ids}::uuid[])`,
  );
  return rows.map(({ id }) => id);
}

/** Finds the ids of the contacts that match a filter, at most `limit` of them. */
export async function findMatching(
  tx: Queryable,
  reader: Reader,
  filter: ContactFilter,
  limit: number,
): Promise<string[]> {
  const rows = await queryOnce<{ id: string }>(
    tx,
    'contacts_find_matching',
    sql`select id from contacts where ${matchesFilter(reader, filter)} limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
