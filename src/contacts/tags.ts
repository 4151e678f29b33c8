import sql, { type Sql } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

/** The label of a tag as it is shown, and the key that is equal for two labels of one tag. */
export interface Label {
  label: string;
  key: string;
}

/**
 * Selects the existing tags among these keys: the id and the key of each. `offset 0` keeps PostgreSQL from making one join
 * of the look-ups, which on a table without statistics reads all tags of the account.
 */
export function selectTagsByKey(accountId: string, keys: string[]): Sql {
  return sql`select tag.id, wanted as key
    from unnest(${keys}::text[]) as wanted
    cross join lateral (
      select id from tags
      where account_id = ${accountId} and label_key = wanted
      offset 0
    ) tag`;
}

/**
 * Finds the ids of an account's tags by their keys, and inserts the missing ones. An insert that does nothing does not lock
 * a tag that exists: no import waits for another one over a popular tag.
 */
export async function ensureTags(
  tx: Queryable,
  accountId: string,
  tags: Label[],
  newId: () => string,
): Promise<Map<string, string>> {
  if (tags.length === 0) return new Map();
  // The first spelling wins, and the ids follow the order of the labels.
  const byKey = new Map<string, Label & { id: string }>();
  for (const tag of tags) if (!byKey.has(tag.key)) byKey.set(tag.key, { ...tag, id: newId() });
  // The rows are sorted by key, so that two transactions cannot deadlock.
  const rows = [...byKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await query(
    tx,
    'tags_insert',
    sql`insert into tags (account_id, id, label, label_key)
      select ${accountId}, id, label, key
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as tag(id uuid, label text, key text)
      on conflict (account_id, label_key) do nothing`,
  );
  const found = await query<{ id: string; key: string }>(
    tx,
    'tags_find',
    selectTagsByKey(accountId, [...byKey.keys()]),
  );
  return new Map(found.map(({ id, key }) => [key, id]));
}

/** Reads the labels of an account's tags by their ids, in the order of the ids. */
export async function readLabels(tx: Queryable, accountId: string): Promise<Map<string, string>> {
  const rows = await query<{ id: string; label: string }>(
    tx,
    'labels_read',
    sql`select id, label from tags where account_id = ${accountId} order by id`,
  );
  return new Map(rows.map(({ id, label }) => [id, label]));
}
