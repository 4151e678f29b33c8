import sql from 'sql-template-tag';
import {
  findRows,
  insertRows,
  query,
  splitIntoChunks,
  type Queryable,
} from '../platform/database/index.ts';
import { newId } from '../platform/text/index.ts';
import type { Label } from './schemas.ts';

/** The most tags of one statement. Building it takes a few milliseconds, in which no other request is served. */
const CHUNK_MAX_TAGS = 1_000;

/**
 * Inserts the tags that an account lacks. Returns the ids of all these tags by their keys. `on conflict do nothing` does
 * not lock existing tags, so imports do not wait for each other because of a popular tag.
 */
export async function ensureTags(
  tx: Queryable,
  accountId: string,
  tags: Label[],
): Promise<Map<string, string>> {
  if (tags.length === 0) return new Map();
  // The first spelling of a label wins. The ids are in the order of the labels.
  const tagOfKey = new Map<string, Label & { id: string }>();
  for (const tag of tags)
    if (!tagOfKey.has(tag.key)) tagOfKey.set(tag.key, { ...tag, id: newId() });
  // The rows are sorted by key, so that two transactions cannot deadlock.
  const rows = [...tagOfKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const chunk of splitIntoChunks(rows, CHUNK_MAX_TAGS)) {
    const values = chunk.map(({ id, label, key }) => [id, label, key]);
    await insertRows(tx, accountId, NEW_TAGS, values);
  }
  return findTags(tx, accountId, [...tagOfKey.values()]);
}

const NEW_TAGS = {
  name: 'tags_insert',
  table: 'tags',
  columns: ['id', 'label', 'label_key'],
  onConflict: 'on conflict (account_id, label_key) do nothing',
};

const TAGS = {
  name: 'tags_find',
  table: sql`tags`,
  key: sql`label_key`,
  type: sql`text[]`,
  select: sql`id, label_key as key`,
};

/** Finds the ids of the tags that exist, by their keys. */
export async function findTags(
  tx: Queryable,
  accountId: string,
  tags: Label[],
): Promise<Map<string, string>> {
  const uniqueKeys = [...new Set(tags.map(({ key }) => key))];
  const ids = new Map<string, string>();
  for (const keys of splitIntoChunks(uniqueKeys, CHUNK_MAX_TAGS)) {
    const found = await findRows<{ id: string; key: string }>(tx, accountId, TAGS, keys);
    for (const { id, key } of found) ids.set(key, id);
  }
  return ids;
}

/** Gets the id of a tag that was found or inserted. */
export function requireTagId(tagIds: Map<string, string>, key: string): string {
  const id = tagIds.get(key);
  if (id === undefined) throw new Error('a tag was neither found nor inserted');
  return id;
}

/** Reads the labels of all tags of an account, by the ids of the tags, in the order of the ids. */
export async function readTagLabels(
  tx: Queryable,
  accountId: string,
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; label: string }>(
    tx,
    'labels_read',
    sql`select id, label from tags where account_id = ${accountId} order by id`,
  );
  return new Map(rows.map(({ id, label }) => [id, label]));
}
