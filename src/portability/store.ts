import sql, { raw } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

/** The tables whose rows have a revision. */
export type StampedTable = 'users' | 'projects' | 'units' | 'contacts';

/** Finds which of these rows have changed after a revision. Returns the revision of each by its id. */
export async function findLaterRevisions(
  tx: Queryable,
  accountId: string,
  table: StampedTable,
  ids: string[],
  revision: string,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await query<{ id: string; revision: Date }>(
    tx,
    `${table}_changed_since`,
    sql`select id, revision from ${raw(table)}
      where account_id = ${accountId} and id = any(${ids}::uuid[]) and revision > ${revision}`,
  );
  return new Map(rows.map((row) => [row.id, row.revision.toISOString()]));
}

/** Finds the revision of the organization, if it is later than this one. */
export async function findOrganizationRevision(
  tx: Queryable,
  accountId: string,
  revision: string,
): Promise<string | undefined> {
  const [row] = await query<{ revision: Date }>(
    tx,
    'organization_changed_since',
    sql`select revision from accounts where account_id = ${accountId} and revision > ${revision}`,
  );
  return row?.revision.toISOString();
}

/** Counts the contacts and projects of an account. */
export async function countAccountRows(
  db: Queryable,
  accountId: string,
): Promise<{ contacts: number; projects: number }> {
  const [row] = await query<{ contacts: number; projects: number }>(
    db,
    'account_rows_count',
    sql`select (select count(*)::int from contacts where account_id = ${accountId}) as contacts,
      (select count(*)::int from projects where account_id = ${accountId}) as projects`,
  );
  return row ?? { contacts: 0, projects: 0 };
}
