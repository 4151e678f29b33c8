import sql from 'sql-template-tag';
import { formatSearchText, toSortKey } from '../../text/index.ts';
import { fillRows } from './row-pages.ts';
import type { Pool } from '../pool.ts';

/** The columns that the keys of a unit are derived from. */
interface SourceRow {
  id: string;
  name: string;
  lotNumber: string | null;
}

/** Fills the columns by which lists sort and search units. */
export async function prepareUnitLists(pool: Pool): Promise<void> {
  await fillRows<SourceRow>(pool, 'units', {
    select: ({ accountId, afterId, limit }) =>
      sql`select id, name, lot_number #>> '{}' as "lotNumber" from units
        where account_id = ${accountId} and id > ${afterId} order by id limit ${limit}`,
    update(accountId, units) {
      const rows = units.map(({ id, name, lotNumber }) => ({
        id,
        nameKey: toSortKey(name) ?? '',
        searchText: formatSearchText({ texts: [name, lotNumber], phones: [] }),
      }));
      return sql`update units set name_key = r."nameKey", search_text = r."searchText"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, "nameKey" text, "searchText" text)
        where units.account_id = ${accountId} and units.id = r.id
          and units.search_text is distinct from r."searchText"`;
    },
  });
}
