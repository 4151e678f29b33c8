import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import type { Pool } from '../../src/platform/database/index.ts';
import { createDatabase } from './harness.ts';
import { run } from './sql.ts';

const MIGRATIONS = new URL('../../src/platform/database/migrations/', import.meta.url);

/** Creates a database of an older release, which has the migrations up to this one, with one account. */
export async function createOldDatabase(
  t: TestContext,
  version: number,
): Promise<{ old: Pool; accountId: string }> {
  const old = await createDatabase(t, 'template0');
  await run(
    old,
    'create table schema_migrations (version int primary key, name text, sha256 text, applied_at timestamptz(3))',
  );
  for (const name of (await readdir(MIGRATIONS)).toSorted().slice(0, version)) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
    if (text.includes('gin_trgm_ops')) await run(old, 'create extension pg_trgm');
    await run(old, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const row = [Number(name.slice(0, 4)), name, sha256];
    await run(old, 'insert into schema_migrations values ($1, $2, $3, now())', row);
  }
  const accountId = '00000000-0000-7000-8000-000000000001';
  await run(
    old,
    `insert into accounts (account_id, stock_clock, company_name, display_name, email, location, website_url, created_at)
      values ($1, now(), '', '', '', '', '', now())`,
    [accountId],
  );
  await run(old, `insert into account_slugs values ('old', $1)`, [accountId]);
  return { old, accountId };
}
