import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { matchesFilter, type Reader } from '../list/conditions.ts';
import type { ContactFilter } from '../list/filter.ts';

/** Finds the ids of contacts that match a filter, up to a number of them. */
export async function findMatching(
  tx: Queryable,
  reader: Reader,
  filter: ContactFilter,
  limit: number,
): Promise<string[]> {
  // Each filter is a statement of its own: it has no name, so that PostgreSQL plans it for its values.
  const rows = await query<{ id: string }>(
    tx,
    '',
    sql`select id from contacts where ${matchesFilter(reader, filter)} limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
