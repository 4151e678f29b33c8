import sql from 'sql-template-tag';
import { toLabelKey } from '../../text/index.ts';
import { writeKeys } from './fold-pages.ts';
import type { Pool } from '../pool.ts';
import { query, type Queryable } from '../query.ts';
import { splitIntoChunks } from '../split-into-chunks.ts';
import { retryOnConflict, runInTransaction } from '../transaction.ts';

const CHUNK_MAX_TAGS = 100;

/** A tag, the ids of later tags that become equal to it, and their new key. */
interface FoldedTag {
  id: string;
  mergedIds: string[];
  key: string;
}

/** Folds the keys of an account's tags, and merges the tags that become equal. */
export async function foldTags(pool: Pool, accountId: string): Promise<void> {
  const tags = await findFoldedTags(pool, accountId);
  for (const chunk of splitIntoChunks(tags, CHUNK_MAX_TAGS))
    await retryOnConflict(() => runInTransaction(pool, (tx) => writeTags(tx, accountId, chunk)));
}

/** Finds the tags whose keys change, and those that others become equal to. The oldest of equal tags remains. */
async function findFoldedTags(db: Queryable, accountId: string): Promise<FoldedTag[]> {
  const rows = await query<{ id: string; label: string; key: string }>(
    db,
    'tags_to_fold',
    sql`select id, label, label_key as key from tags where account_id = ${accountId} order by id`,
  );
  return [...Map.groupBy(rows, ({ label }) => toLabelKey(label))].flatMap(
    ([key, [first, ...others]]) => {
      if (first === undefined || (first.key === key && others.length === 0)) return [];
      return { id: first.id, mergedIds: others.map(({ id }) => id), key };
    },
  );
}

async function writeTags(tx: Queryable, accountId: string, tags: FoldedTag[]): Promise<void> {
  const merges = tags.flatMap(({ id, mergedIds }) =>
    mergedIds.map((mergedId) => ({ id, mergedId })),
  );
  if (merges.length > 0) await mergeTags(tx, accountId, merges);
  const keys = tags.map(({ id, key }) => ({ id, label_key: key }));
  await writeKeys(tx, accountId, 'tags', ['label_key'], keys);
}

/** Moves the contacts of merged tags to the remaining ones. A moved row keeps its id: lists are in the order of the ids. */
async function mergeTags(
  tx: Queryable,
  accountId: string,
  merges: { id: string; mergedId: string }[],
): Promise<void> {
  await query(
    tx,
    'merged_tags_move_contacts',
    sql`insert into contact_tags (account_id, contact_id, tag_id, id)
      select ${accountId}, link.contact_id, merge.id, link.id
      from jsonb_to_recordset(${JSON.stringify(merges)}::jsonb) as merge(id uuid, "mergedId" uuid)
      join contact_tags link on link.account_id = ${accountId} and link.tag_id = merge."mergedId"
      order by link.id
      on conflict do nothing`,
  );
  await query(
    tx,
    'merged_tags_delete',
    sql`delete from tags
      where account_id = ${accountId} and id = any(${merges.map(({ mergedId }) => mergedId)}::uuid[])`,
  );
}
