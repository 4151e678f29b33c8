import sql from 'sql-template-tag';
import { queryOnce, type Queryable } from '../../platform/database/index.ts';
import { matchesFilter, type Reader } from '../list/conditions.ts';
import type { ContactFilter } from '../list/filter.ts';

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
