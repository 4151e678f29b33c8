import type { Pool } from '../../src/platform/database/index.ts';
import { run } from './sql.ts';

/** Finds the columns that hold one of these texts, in all tables: what a search of a dump would find. */
export async function searchDump(db: Pool, ...texts: string[]): Promise<string[]> {
  const { rows: columns } = await run(
    db,
    `select table_name as name, column_name as column from information_schema.columns
      where table_schema = 'public' order by 1, 2`,
  );
  const found: string[] = [];
  for (const { name, column } of columns as { name: string; column: string }[]) {
    const { rows } = await run(
      db,
      `select 1 from "${name}" where "${column}"::text ilike any ($1) limit 1`,
      [texts.map((text) => `%${text}%`)],
    );
    if (rows.length > 0) found.push(`${name}.${column}`);
  }
  return found;
}
