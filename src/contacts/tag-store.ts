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

/** A tag that is not stored yet, with the id that it will have. */
export interface NewTag extends Label {
  id: string;
}

/** Makes the tags that an account lacks, each with its id. `known` has the ids of those that it has by their keys. */
export function makeMissingTags(labels: Label[], known: Map<string, string>): NewTag[] {
  // The first spelling of a label wins. The ids are in the order of the labels.
  const tagOfKey = new Map<string, NewTag>();
  for (const label of labels)
    if (!known.has(label.key) && !tagOfKey.has(label.key))
      tagOfKey.set(label.key, { ...label, id: newId() });
  return [...tagOfKey.values()];
}

/**
 * Inserts tags. The caller holds the lock on the revision, and has read which tags the account lacks. Fails with a unique violation
 * when the account has one of them by now.
 */
export async function insertTags(tx: Queryable, accountId: string, tags: NewTag[]): Promise<void> {
  for (const chunk of splitIntoChunks(tags, CHUNK_MAX_TAGS)) {
    const values = chunk.map(({ id, label, key }) => [id, label, key]);
    await insertRows(tx, accountId, NEW_TAGS, values);
  }
}

const NEW_TAGS = { name: 'tags_insert', table: 'tags', columns: ['id', 'label', 'label_key'] };

/** Adds the ids of new tags to those of known ones. */
export function addTagIds(known: Map<string, string>, added: NewTag[]): Map<string, string> {
  return new Map([...known, ...added.map(({ key, id }) => [key, id] as const)]);
}

/**
 * Inserts the tags that an account lacks. Returns the ids of all these tags by their keys. The caller holds the locks on the account
 * and on the revision.
 */
export async function ensureTags(
  tx: Queryable,
  accountId: string,
  labels: Label[],
): Promise<Map<string, string>> {
  const known = await findTags(tx, accountId, labels);
  const missing = makeMissingTags(labels, known);
  await insertTags(tx, accountId, missing);
  return addTagIds(known, missing);
}

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
