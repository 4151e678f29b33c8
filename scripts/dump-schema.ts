import { mkdtemp, chmod, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../src/platform/postgres/index.ts';
import { migrate, openPool, type Pool } from '../src/platform/database/index.ts';

const HEADER = `-- The schema that the migrations make, for reading and for review. Nothing runs this file.
-- Made from the catalogs by scripts/dump-schema.ts; test/migrate.test.ts fails when it is out of date.
`;

// Names are ordered in "C", so that the dump does not depend on the locale of the database. PostgreSQL 18 lists NOT NULL among
// the constraints (contype n), and earlier versions do not.
const TABLES = `
  select format(E'create table %I (\\n  %s\\n);\\n', relname, concat_ws(E',\\n  ', columns, constraints))
    || coalesce(E'\\n' || indexes || E'\\n', '') as text
  from pg_class,
  lateral (
    select string_agg(concat_ws(' ',
      format('%I', attname),
      format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then (select format('collate %I', collname)
        from pg_collation where oid = attcollation) end,
      'default ' || pg_get_expr(adbin, adrelid),
      case when attnotnull then 'not null' end), E',\\n  ' order by attnum) as columns
    from pg_attribute join pg_type on pg_type.oid = atttypid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = pg_class.oid and attnum > 0 and not attisdropped
  ) as c,
  lateral (
    select string_agg(format('constraint %I %s', conname, pg_get_constraintdef(oid)), E',\\n  '
      order by strpos('pufcx', contype::text), conname collate "C") as constraints
    from pg_constraint where conrelid = pg_class.oid and contype <> 'n'
  ) as k,
  lateral (
    select string_agg(pg_get_indexdef(indexrelid) || ';', E'\\n'
      order by indexrelid::regclass::text collate "C") as indexes
    from pg_index
    where indrelid = pg_class.oid
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  ) as i
  where relkind = 'r' and relnamespace = 'public'::regnamespace
  order by relname collate "C"`;

/** The schema of a database as readable SQL: tables, columns, constraints and indexes. */
export async function dumpSchema(db: Pool): Promise<string> {
  const rows = await db.query<{ text: string }>({ name: 'tables', text: TABLES, values: [] });
  return [HEADER, ...rows.rows.map(({ text }) => text)].join('\n');
}

/** Writes src/platform/database/schema.sql anew, from the migrations in a PostgreSQL of its own. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offplan-schema-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbedded({ dataDir, isDefaultDataDir: false });
  const pool = openPool(server.connection, () => undefined);
  try {
    await migrate(pool);
    await writeFile(
      new URL('../src/platform/database/schema.sql', import.meta.url),
      await dumpSchema(pool),
    );
  } finally {
    await pool.end();
    await server.release();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
