import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { ROOT } from '../config/index.ts';
import { distributeNewTables, SEQUENTIAL } from './distribute.ts';
import { isUndefinedTable, SchemaError } from './errors.ts';
import type { Pool } from './pool.ts';
import {
  fillProjectNames,
  foldKeys,
  prepareContactLists,
  prepareUnitLists,
  refuseEqualUsers,
} from './preparations/index.ts';
import { query, runSql, type Queryable } from './query.ts';
import { runInTransaction } from './transaction.ts';

/** A numbered file of `migrations/`. Each runs once, in order, and never changes afterwards. */
interface Migration {
  version: number;
  name: string;
  text: string;
  sha256: string;
}

export type AppliedMigration = Omit<Migration, 'text'>;

const MIGRATIONS_FOLDER = new URL('src/platform/database/migrations/', ROOT);

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS_FOLDER))
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { version: Number(name.slice(0, 4)), name, text, sha256 };
    }),
  );
}

/**
 * Runs the migrations that have not run, each in a transaction of its own. Returns the names of their files, and calls `onRun` with
 * each name when it has run.
 */
export async function migrate(pool: Pool, onRun?: (name: string) => void): Promise<string[]> {
  const migrations = await readMigrations();
  await requireUtf8(pool);
  await createMigrationTable(pool);
  await checkStoredRows(pool, migrations);
  const ranNames: string[] = [];
  for (const migration of migrations) {
    await prepareMigration(pool, migration, migrations);
    if (!(await runInTransaction(pool, (tx) => runMigration(tx, migration, migrations)))) continue;
    ranNames.push(migration.name);
    onRun?.(migration.name);
  }
  return ranNames;
}

/**
 * Checks in code for rows that a migration cannot convert. They run before the first migration changes anything: only the release
 * that ran before can correct these rows, and it refuses a changed schema.
 */
const CHECKS: Record<string, (pool: Pool) => Promise<void>> = {
  '0010_fold_keys.sql': refuseEqualUsers,
};

async function checkStoredRows(pool: Pool, migrations: Migration[]): Promise<void> {
  const applied = await readAppliedMigrations(pool);
  refuseForeignMigrations(applied, migrations);
  // A new database has no rows, and no tables.
  if (applied.length === 0) return;
  for (const { name, version } of migrations)
    if (!applied.some((each) => each.version === version)) await CHECKS[name]?.(pool);
}

/**
 * The work in code that a migration needs before its file runs. It commits in batches, so it must give the same result after a
 * stop, and in two processes at once.
 */
const PREPARATIONS: Record<string, (pool: Pool) => Promise<void>> = {
  '0010_fold_keys.sql': foldKeys,
  '0027_contact_indexes.sql': prepareContactLists,
  '0038_unit_indexes.sql': prepareUnitLists,
  '0040_project_lists.sql': fillProjectNames,
};

async function prepareMigration(
  pool: Pool,
  { name, version }: Migration,
  known: Migration[],
): Promise<void> {
  const prepare = PREPARATIONS[name];
  if (prepare === undefined) return;
  const applied = await readAppliedMigrations(pool);
  refuseForeignMigrations(applied, known);
  if (!applied.some((each) => each.version === version)) await prepare(pool);
}

/** Throws a SchemaError unless the schema is exactly the one of this release. */
export async function requireCurrentSchema(db: Queryable): Promise<void> {
  await requireUtf8(db);
  const migrations = (cachedMigrations ??= await readMigrations());
  const applied = await readAppliedMigrations(db).catch((error: unknown) => {
    throw isUndefinedTable(error) ? new SchemaError(OUTDATED) : error;
  });
  refuseForeignMigrations(applied, migrations);
  if (applied.length < migrations.length) throw new SchemaError(OUTDATED);
}

// Each health check needs the migrations, and their files do not change while the process runs.
let cachedMigrations: Migration[] | undefined;

const OUTDATED = 'The database schema is not up to date. Run `offplan migrate` first.';

async function requireUtf8(db: Queryable): Promise<void> {
  const [row] = await query<{ encoding: string }>(
    db,
    'server_encoding',
    sql`select current_setting('server_encoding') as encoding`,
  );
  const encoding = row?.encoding;
  if (encoding !== 'UTF8')
    throw new SchemaError(
      `The database is encoded in ${encoding}, which cannot hold every name. Create it with "encoding 'UTF8' template template0".`,
    );
}

// When two processes start together, CREATE TABLE IF NOT EXISTS can fail with a unique violation. The table is there then.
async function createMigrationTable(pool: Pool): Promise<void> {
  const table = `create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz(3) not null
  )`;
  await runSql(pool, table).catch(async (error: unknown) => {
    await readAppliedMigrations(pool).catch(() => {
      throw error;
    });
  });
}

/** Reads which migrations have run: the version of the schema. */
export function readAppliedMigrations(db: Queryable): Promise<AppliedMigration[]> {
  return query<AppliedMigration>(
    db,
    'schema_history',
    sql`select version, name, sha256 from schema_migrations order by version`,
  );
}

/** Runs a migration, unless another process has run it. Returns whether this call ran it. */
async function runMigration(
  tx: Queryable,
  migration: Migration,
  known: Migration[],
): Promise<boolean> {
  // A migration may take longer than other statements.
  await runSql(tx, 'set local statement_timeout = 0');
  await runSql(tx, 'set local lock_timeout = 0');
  await runSql(tx, SEQUENTIAL);
  await runSql(tx, 'lock table schema_migrations in share row exclusive mode');
  const applied = await readAppliedMigrations(tx);
  refuseForeignMigrations(applied, known);
  const { version, name, sha256, text } = migration;
  if (applied.some((each) => each.version === version)) return false;
  await runSql(tx, text);
  await distributeNewTables(tx);
  const row = [version, name, sha256, new Date()];
  await runSql(tx, 'insert into schema_migrations values ($1, $2, $3, $4)', row);
  return true;
}

function refuseForeignMigrations(applied: AppliedMigration[], known: Migration[]): void {
  for (const { version, name, sha256 } of applied) {
    const migration = known.find((each) => each.version === version);
    if (migration === undefined)
      throw new SchemaError(
        `The database is newer than this Offplan: it has migration ${name}. Install the newer release.`,
      );
    if (migration.sha256 !== sha256)
      throw new SchemaError(
        `Migration ${name} was changed after it ran. Restore the file as it was released.`,
      );
  }
}
