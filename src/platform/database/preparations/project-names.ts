import sql from 'sql-template-tag';
import { formatSearchText, toSortKey } from '../../text/index.ts';
import { fillRows } from './row-pages.ts';
import type { Pool } from '../pool.ts';

/** The columns that the names of a project are derived from. */
interface SourceRow {
  id: string;
  name: string;
  places: (string | null)[];
}

/** Fills the columns by which lists sort and search projects, where they are null. */
export async function fillProjectNames(pool: Pool): Promise<void> {
  await fillRows<SourceRow>(pool, 'projects', {
    select: ({ accountId, afterId, limit }) =>
      sql`select id, name, array[suburb_name, city_name, region_name] as places from projects
        where account_id = ${accountId} and id > ${afterId} and (name_key is null or search_text is null)
        order by id limit ${limit}`,
    update(accountId, projects) {
      const rows = projects.map(({ id, name, places }) => ({
        id,
        name: toSortKey(name) ?? '',
        search: formatSearchText({ texts: [name, ...places], phones: [] }),
      }));
      return sql`update projects set name_key = r.name, search_text = r.search
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, name text, search text)
        where projects.account_id = ${accountId} and projects.id = r.id`;
    },
  });
}
