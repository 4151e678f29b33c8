import sql, { raw } from 'sql-template-tag';
import { forEachPage } from './row-pages.ts';
import type { Pool } from '../pool.ts';
import { query, type Queryable } from '../query.ts';
import { retryOnConflict, runInTransaction } from '../transaction.ts';

/** The key columns of a table: for each, the column of its text and the function that folds the text. */
export type KeyColumns = Record<string, [source: string, toKey: (text: string) => string]>;

type KeyedRow = Record<string, string> & { id: string };
type BeforeWrite = (tx: Queryable, accountId: string, rows: KeyedRow[]) => Promise<unknown>;

/**
 * Recomputes the folded keys of an account's rows in a table, with a transaction for each page. `beforeWrite` runs in the
 * transaction with the rows whose keys change, before they are written.
 */
export async function foldPages(
  pool: Pool,
  accountId: string,
  table: string,
  keys: KeyColumns,
  beforeWrite?: BeforeWrite,
): Promise<void> {
  async function writePage(page: KeyedRow[]): Promise<void> {
    const changed = page.flatMap((row) => foldRow(row, keys) ?? []);
    if (changed.length === 0) return;
    await retryOnConflict(() =>
      runInTransaction(pool, async (tx) => {
        await beforeWrite?.(tx, accountId, changed);
        await writeKeys(tx, accountId, table, Object.keys(keys), changed);
      }),
    );
  }

  await forEachPage(
    (afterId, limit) => readPage(pool, { accountId, table, keys, afterId, limit }),
    writePage,
  );
}

function readPage(
  db: Queryable,
  {
    accountId,
    table,
    keys,
    afterId,
    limit,
  }: { accountId: string; table: string; keys: KeyColumns; afterId: string; limit: number },
): Promise<KeyedRow[]> {
  const columns = Object.entries(keys).flatMap(([column, [source]]) => [column, source]);
  return query<KeyedRow>(
    db,
    `${table}_fold_page`,
    sql`select id, ${raw(columns.join(', '))} from ${raw(table)}
      where account_id = ${accountId} and id > ${afterId} order by id limit ${limit}`,
  );
}

/** Returns the id and the new keys of a row, or null when its keys stay as they are. */
function foldRow(row: KeyedRow, keys: KeyColumns): KeyedRow | null {
  const folded: KeyedRow = { id: row.id };
  for (const [column, [source, toKey]] of Object.entries(keys))
    folded[column] = toKey(row[source] ?? '');
  return Object.keys(keys).some((column) => folded[column] !== row[column]) ? folded : null;
}

/** Writes the keys of rows. Each row has its id and these columns. */
export async function writeKeys(
  tx: Queryable,
  accountId: string,
  table: string,
  columns: string[],
  rows: KeyedRow[],
): Promise<void> {
  const assignments = columns.map((column) => `${column} = r.${column}`).join(', ');
  const types = columns.map((column) => `${column} text`).join(', ');
  await query(
    tx,
    `${table}_fold_write`,
    sql`update ${raw(table)} set ${raw(assignments)}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, ${raw(types)})
      where ${raw(table)}.account_id = ${accountId} and ${raw(table)}.id = r.id`,
  );
}
