import sql from 'sql-template-tag';
import { formatSearchText, toSortKey } from '../text/index.ts';
import { forEachPage, listAccountIds } from './every-row.ts';
import type { Pool } from './pool.ts';
import { query, type Queryable } from './query.ts';
import { retryOnConflict } from './transaction.ts';

/** The columns that the keys of a unit are derived from. */
interface SourceRow {
  id: string;
  name: string;
  lotNumber: string | null;
}

/**
 * Fills the columns by which lists sort and search units. It commits each page of rows by itself, so it can be stopped and run
 * again.
 */
export async function prepareUnitLists(pool: Pool): Promise<void> {
  for (const accountId of await listAccountIds(pool)) await fillAccount(pool, accountId);
}

async function fillAccount(pool: Pool, accountId: string): Promise<void> {
  await forEachPage(
    (afterId, limit) => readPage(pool, accountId, afterId, limit),
    (page) => retryOnConflict(() => writePage(pool, accountId, page)),
  );
}

function readPage(
  db: Queryable,
  accountId: string,
  afterId: string,
  limit: number,
): Promise<SourceRow[]> {
  return query<SourceRow>(
    db,
    'units_to_fill',
    sql`select id, name, lot_number #>> '{}' as "lotNumber" from units
      where account_id = ${accountId} and id > ${afterId} order by id limit ${limit}`,
  );
}

async function writePage(db: Queryable, accountId: string, page: SourceRow[]): Promise<void> {
  const rows = page.map(({ id, ...unit }) => ({ id, ...deriveUnitKeys(unit) }));
  await query(
    db,
    'units_fill',
    sql`update units set name_key = r."nameKey", search_text = r."searchText"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, "nameKey" text, "searchText" text)
      where units.account_id = ${accountId} and units.id = r.id
        and units.search_text is distinct from r."searchText"`,
  );
}

/** Derives the texts by which lists sort and search a unit. */
export function deriveUnitKeys({
  name,
  lotNumber,
}: {
  name: string;
  lotNumber: string | number | null;
}): { nameKey: string; searchText: string } {
  const texts = [name, lotNumber === null ? null : String(lotNumber)];
  return {
    nameKey: toSortKey(name) ?? '',
    searchText: formatSearchText({ texts, phones: [] }),
  };
}
