import sql from 'sql-template-tag';
import { selectRevision } from '../../accounts/index.ts';
import { query, queryOnce, type Queryable } from '../../platform/database/index.ts';
import { IS_INDEXED, isVisible, type Reader } from '../list/conditions.ts';
import type { Label } from '../schemas.ts';
import { refreshMarks } from '../marks-store.ts';

export interface StoredTag {
  id: string;
  label: string;
  version: number;
}

/** Lists all tags of an account. */
export function listTags(db: Queryable, accountId: string): Promise<StoredTag[]> {
  return query<StoredTag>(
    db,
    'tags_list',
    sql`select id, label, version from tags where account_id = ${accountId}`,
  );
}

/** Counts the contacts with each of these tags. It counts only active contacts that the reader may see. A tag without any has no entry. */
export async function countContacts(
  db: Queryable,
  reader: Reader,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await queryOnce<{ id: string; count: number }>(
    db,
    'tags_count',
    sql`select tagged.tag_id as id, count(*)::int as count
      from contact_tags tagged join contacts on contacts.id = tagged.contact_id
      where tagged.account_id = ${reader.accountId} and tagged.tag_id = any(${ids}::uuid[])
        and ${isVisible(reader)} and ${IS_INDEXED} and contacts.archived_at is null
      group by tagged.tag_id`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Counts the tags of an account, with those that no contact has. */
export async function countTags(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'tags_count_of_account',
    sql`select count(*)::int as count from tags where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
}

/** Inserts a tag. Returns false when the account has one with this key. */
export async function insertTag(
  tx: Queryable,
  accountId: string,
  { id, label, key }: Label & { id: string },
): Promise<boolean> {
  const rows = await query(
    tx,
    'tag_insert',
    sql`insert into tags (account_id, id, label, label_key)
      values (${accountId}, ${id}, ${label}, ${key})
      on conflict (account_id, label_key) do nothing returning id`,
  );
  return rows.length > 0;
}

/** A tag that a request changes. */
export interface ChangedTag extends StoredTag {
  key: string;
  /** The former label while some contacts of the tag still need a new version; otherwise null. */
  renamedFrom: string | null;
}

/** Finds a tag with its key and its former label. */
export async function findTag(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<ChangedTag | undefined> {
  const [row] = await query<ChangedTag>(
    tx,
    'tag_find',
    sql`select id, label, version, label_key as key, renamed_from as "renamedFrom"
      from tags where account_id = ${accountId} and id = ${id}`,
  );
  return row;
}

/**
 * Changes the label of a tag, and starts a rename: its contacts need a new version until a later transaction writes them. The
 * caller holds the lock on the revision.
 */
export async function updateLabel(
  tx: Queryable,
  accountId: string,
  { id, label, key }: Label & { id: string },
): Promise<void> {
  await query(
    tx,
    'tag_update_label',
    sql`update tags
      set renamed_from = coalesce(renamed_from, label), renamed_after = ${selectRevision(accountId)},
        label = ${label}, label_key = ${key}, version = version + 1
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Gives a tag a new version. */
export async function raiseVersion(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'tag_raise_version',
    sql`update tags set version = version + 1 where account_id = ${accountId} and id = ${id}`,
  );
}

/** Marks a rename as finished: each contact that has the tag has its new version. */
export async function finishRename(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'tag_finish_rename',
    sql`update tags set renamed_from = null, renamed_after = null
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Finds the tags whose rename is not finished. */
export function findUnfinishedTags(
  db: Queryable,
  accountId: string,
): Promise<Pick<StoredTag, 'id'>[]> {
  return query(
    db,
    'tags_find_unfinished',
    sql`select id from tags where account_id = ${accountId} and renamed_from is not null`,
  );
}

export async function deleteTagRow(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'tag_delete',
    sql`delete from tags where account_id = ${accountId} and id = ${id}`,
  );
}

/** Finds contacts that still need a new version after a tag was renamed, in the order of their ids. */
export async function findAwaitingContacts(
  tx: Queryable,
  accountId: string,
  { tagId, afterId, limit }: { tagId: string; afterId: string; limit: number },
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'contacts_find_awaiting',
    sql`select contacts.id
      from contact_tags tagged
      join contacts on contacts.account_id = tagged.account_id and contacts.id = tagged.contact_id
      where tagged.account_id = ${accountId} and contacts.account_id = ${accountId}
        and tagged.tag_id = ${tagId} and tagged.contact_id > ${afterId}
        and (contacts.revision is null or contacts.revision <= (
          select renamed_after from tags where account_id = ${accountId} and id = ${tagId}
        ))
      order by tagged.contact_id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** A contact that has a tag. `hasOther` says whether it has another tag, too. */
interface TaggedContact {
  id: string;
  hasOther: boolean;
}

/** Finds contacts that have a tag, in the order of their ids. */
export function findTaggedContacts(
  tx: Queryable,
  accountId: string,
  { tagId, otherId, limit }: { tagId: string; otherId: string | null; limit: number },
): Promise<TaggedContact[]> {
  return query<TaggedContact>(
    tx,
    'contacts_find_tagged',
    sql`select contact_id as id, exists (
        select from contact_tags other
        where other.account_id = ${accountId} and other.contact_id = tagged.contact_id
          and other.tag_id = ${otherId}
      ) as "hasOther"
      from contact_tags tagged
      where tagged.account_id = ${accountId} and tagged.tag_id = ${tagId}
      order by contact_id limit ${limit}`,
  );
}

/** Removes a tag from contacts, and adds another one in its place unless `intoId` is null. A moved row keeps its id. */
export async function replaceTag(
  tx: Queryable,
  accountId: string,
  { tagId, intoId, contactIds }: { tagId: string; intoId: string | null; contactIds: string[] },
): Promise<void> {
  const ofContacts = sql`account_id = ${accountId} and tag_id = ${tagId}
    and contact_id = any(${contactIds}::uuid[])`;
  if (intoId !== null)
    await query(
      tx,
      'contact_tags_move',
      sql`insert into contact_tags (account_id, contact_id, tag_id, id)
        select ${accountId}, contact_id, ${intoId}, id from contact_tags where ${ofContacts}
        on conflict (account_id, contact_id, tag_id) do nothing`,
    );
  await query(tx, 'contact_tags_take', sql`delete from contact_tags where ${ofContacts}`);
  await refreshMarks(tx, accountId, contactIds);
}

interface FoundSource {
  source: string | null;
  label: string | null;
  contactCount: number;
  firstAt: Date;
  lastAt: Date;
}

/** Counts the contacts of each source and label, the most frequent first. It counts only active contacts that the reader may see. */
export function listSources(db: Queryable, reader: Reader, limit: number): Promise<FoundSource[]> {
  return query<FoundSource>(
    db,
    `sources_list_${reader.contacts}`,
    sql`select source, source_external_original_name as label, count(*)::int as "contactCount",
        min(created_at) as "firstAt", max(created_at) as "lastAt"
      from contacts where ${isVisible(reader)} and archived_at is null
      group by source, source_external_original_name
      order by count(*) desc, source, source_external_original_name limit ${limit}`,
  );
}
