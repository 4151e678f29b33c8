import sql from 'sql-template-tag';
import { formatSearchText, toSortKey } from '../text/index.ts';
import { listAccountIds } from './every-row.ts';
import type { Pool } from './pool.ts';
import { query, type Queryable } from './query.ts';
import { retryOnConflict } from './transaction.ts';

/** The columns that the names of a project are derived from. */
interface SourceRow {
  id: string;
  name: string;
  places: (string | null)[];
}

const PAGE_MAX_ROWS = 1_000;

/**
 * Fills the columns by which lists sort and search projects, where they are null. It commits each page of rows by itself, so it
 * can be stopped and run again.
 */
export async function fillProjectNames(pool: Pool): Promise<void> {
  for (const accountId of await listAccountIds(pool))
    while ((await retryOnConflict(() => fillPage(pool, accountId))) === PAGE_MAX_ROWS);
}

/** Fills one page. Returns how many projects it filled. */
async function fillPage(db: Queryable, accountId: string): Promise<number> {
  const page = await query<SourceRow>(
    db,
    'projects_to_fill',
    sql`select id, name, array[suburb_name, city_name, region_name] as places from projects
      where account_id = ${accountId} and (name_key is null or search_text is null) limit ${PAGE_MAX_ROWS}`,
  );
  const rows = page.map(({ id, name, places }) => ({
    id,
    name: toSortKey(name) ?? '',
    search: formatSearchText({ texts: [name, ...places], phones: [] }),
  }));
  await query(
    db,
    'projects_fill',
    sql`update projects set name_key = r.name, search_text = r.search
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, name text, search text)
      where projects.account_id = ${accountId} and projects.id = r.id`,
  );
  return page.length;
}
