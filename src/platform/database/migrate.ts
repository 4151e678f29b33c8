import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { isUndefinedTable } from './errors.ts';
import type { Pool } from './pool.ts';
import { query, type Queryable } from './query.ts';
import { transaction } from './transaction.ts';

/** A numbered file of `migrations/`. Each runs once, in order, and never changes afterwards. */
interface Migration {
  version: number;
  name: string;
  text: string;
  sha256: string;
}

type AppliedMigration = Omit<Migration, 'text'>;

/** The database does not fit this release; the message says how to mend that. */
export class SchemaError extends Error {}

const FOLDER = new URL('./migrations/', import.meta.url);

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { version: Number(name.slice(0, 4)), name, text, sha256 };
    }),
  );
}

/** Brings the schema up to date, each file in a transaction of its own. Returns the names of the files that ran. */
export async function migrate(pool: Pool): Promise<string[]> {
  const migrations = await readMigrations();
  await requireUtf8(pool);
  await createHistory(pool);
  const ran: string[] = [];
  for (const migration of migrations)
    if (await transaction(pool, (tx) => runMigration(tx, migration, migrations)))
      ran.push(migration.name);
  return ran;
}

/** Throws a SchemaError unless the schema is exactly the one of this release. */
export async function requireCurrentSchema(db: Queryable): Promise<void> {
  await requireUtf8(db);
  const migrations = await (cachedMigrations ??= readMigrations());
  const applied = await readHistory(db).catch((error: unknown) => {
    throw isUndefinedTable(error) ? new SchemaError(OUTDATED) : error;
  });
  refuseForeignMigrations(applied, migrations);
  if (applied.length < migrations.length) throw new SchemaError(OUTDATED);
}

// The files do not change while the process runs, and each health check needs them.
let cachedMigrations: Promise<Migration[]> | undefined;

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

// Two processes that start together both get here: CREATE TABLE IF NOT EXISTS can then fail with a unique violation.
async function createHistory(pool: Pool): Promise<void> {
  const table = `create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz(3) not null
  )`;
  await runText(pool, table).catch(async (error: unknown) => {
    await readHistory(pool).catch(() => {
      throw error;
    });
  });
}

function readHistory(db: Queryable): Promise<AppliedMigration[]> {
  return query<AppliedMigration>(
    db,
    'schema_history',
    sql`select version, name, sha256 from schema_migrations order by version`,
  );
}

/** Runs a migration unless it has run. Returns whether it did. */
async function runMigration(
  tx: Queryable,
  migration: Migration,
  known: Migration[],
): Promise<boolean> {
  // The time limits of statements do not hold for a migration.
  await runText(tx, 'set local statement_timeout = 0');
  await runText(tx, 'set local lock_timeout = 0');
  await runText(tx, 'lock table schema_migrations in share row exclusive mode');
  const applied = await readHistory(tx);
  refuseForeignMigrations(applied, known);
  const { version, name, sha256, text } = migration;
  if (applied.some((each) => each.version === version)) return false;
  await runText(tx, text);
  const row = [version, name, sha256, new Date()];
  await runText(tx, 'insert into schema_migrations values ($1, $2, $3, $4)', row);
  return true;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs SQL, without values even several statements. The driver waits for it as long as it can. */
async function runText(db: Queryable, text: string, values: unknown[] = []): Promise<void> {
  const statement = { name: '', text, values, query_timeout: LONGEST_TIMER_MS };
  await db.query(statement);
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
