import sql from 'sql-template-tag';
import { formatSearchText, toSortKey } from '../text/index.ts';
import type { Pool } from './pool.ts';
import { query, type Queryable } from './query.ts';
import { retryOnConflict } from './transaction.ts';

interface SourceRow {
  id: string;
  name: string;
  lotNumber: string | null;
}

const PAGE_MAX_ROWS = 1_000;

/**
 * Fills the columns by which lists sort and search units. It commits page by page, and a run after a stop goes on.
 */
export async function prepareUnitLists(pool: Pool): Promise<void> {
  // One of the operator's lists across accounts.
  const accounts = await query<{ id: string }>(
    pool,
    'accounts_to_fill_units',
    sql`select account_id as id from accounts order by account_id`,
  );
  for (const { id } of accounts) await fillAccount(pool, id);
}

async function fillAccount(pool: Pool, accountId: string): Promise<void> {
  let afterId: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (afterId !== undefined) {
    const page: SourceRow[] = await readPage(pool, accountId, afterId);
    await retryOnConflict(() => writePage(pool, accountId, page));
    afterId = page.length < PAGE_MAX_ROWS ? undefined : page.at(-1)?.id;
  }
}

function readPage(db: Queryable, accountId: string, afterId: string): Promise<SourceRow[]> {
  return query<SourceRow>(
    db,
    'units_to_fill',
    sql`select id, name, lot_number #>> '{}' as "lotNumber" from units
      where account_id = ${accountId} and id > ${afterId} order by id limit ${PAGE_MAX_ROWS}`,
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
