import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { isVisible, type Reader } from '../list/conditions.ts';
import type { Label } from '../schemas.ts';

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

/** Counts the contacts that have each of these tags, that the reader may see and that are not archived. */
export async function countContacts(
  db: Queryable,
  reader: Reader,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; count: number }>(
    db,
    `tags_count_${reader.contacts}`,
    sql`select wanted as id, (
        select count(*)::int from contact_tags tagged
          join contacts on contacts.account_id = tagged.account_id and contacts.id = tagged.contact_id
        where tagged.account_id = ${reader.accountId} and tagged.tag_id = wanted
          and ${isVisible(reader)} and contacts.archived_at is null
      ) as count
      from unnest(${ids}::uuid[]) as wanted`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export async function countTags(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'tags_count_of_account',
    sql`select count(*)::int as count from tags where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
}

/** Inserts a tag. False when the account has one with this key. */
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

interface FoundSource {
  source: string | null;
  label: string | null;
  contactCount: number;
  firstAt: Date;
  lastAt: Date;
}

/** Counts the contacts of each source and label, that the reader may see and that are not archived, the most first. */
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
