import sql, { raw } from 'sql-template-tag';
import { moveChanges } from '../../events/index.ts';
import { query, type Queryable } from '../../platform/database/index.ts';
import { writeChanges } from '../changes-store.ts';
import { refreshActivityTimes, refreshMarks } from '../marks-store.ts';
import type { MergeChanges } from './rules.ts';
import { recordMergedIds } from '../merged-ids.ts';

/**
 * Writes a merge. The caller has recorded its events. It moves the rows before it deletes the duplicates, because PostgreSQL
 * deletes the rows of a contact with it.
 */
export async function writeMerge(
  tx: Queryable,
  accountId: string,
  { remaining, movedTagIds, movedLinkIds, movedActivityIds, removedIds }: MergeChanges,
  { now, revision }: { now: Date; revision: Date },
): Promise<void> {
  const nothing = { inserted: [], tags: [], activities: [], links: [], redated: [] };
  await writeChanges(tx, accountId, { ...nothing, updated: [remaining] }, { revision });
  // A moved row keeps its id, because lists are in the order of the ids.
  const buildMove = (table: string) => sql`update ${raw(table)} set contact_id = ${remaining.id}
    where account_id = ${accountId} and contact_id = any(${removedIds}::uuid[])`;
  await recordMergedIds(tx, accountId, { ids: removedIds, intoId: remaining.id });
  const statements = {
    merged_tags_move: sql`${buildMove('contact_tags')} and id = any(${movedTagIds}::uuid[])`,
    merged_links_move: sql`${buildMove('contact_links')} and id = any(${movedLinkIds}::uuid[])`,
    merged_activities_move: sql`${buildMove('activities')} and id = any(${movedActivityIds}::uuid[])`,
    merged_contacts_delete: sql`delete from contacts
      where account_id = ${accountId} and id = any(${removedIds}::uuid[])`,
  };
  for (const [name, statement] of Object.entries(statements)) await query(tx, name, statement);
  await moveChanges(tx, accountId, { from: removedIds, to: remaining.id });
  await refreshMarks(tx, accountId, [remaining.id]);
  await refreshActivityTimes(tx, accountId, [remaining.id], now);
}
