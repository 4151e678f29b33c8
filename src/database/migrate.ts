import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import { isUndefinedTable } from './errors.ts';
import type { Pool } from './pool.ts';

/** One numbered file of `migrations/`, run once, in order, never changed afterwards. */
interface Migration {
  version: number;
  name: string;
  sql: string;
  sha256: string;
}

interface AppliedMigration {
  version: number;
  name: string;
  sha256: string;
}

/** The database and this Offplan do not fit; the message says what to do. */
export class SchemaError extends Error {}

const FOLDER = new URL('./migrations/', import.meta.url);

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { version: Number(name.slice(0, 4)), name, sql, sha256 };
    }),
  );
}

/** Brings the schema up to date, each file in a transaction of its own; returns the names of those run. */
export async function migrate(pool: Pool): Promise<string[]> {
  const migrations = await readMigrations();
  const ran: string[] = [];
  const client = await pool.connect();
  try {
    await requireUtf8(client);
    await createHistory(client);
    for (const migration of migrations)
      if (await run(client, migration, migrations)) ran.push(migration.name);
    return ran;
  } finally {
    client.release();
  }
}

/** Throws a SchemaError unless the schema is exactly the one that this Offplan knows. */
export async function requireCurrentSchema(pool: Pool): Promise<void> {
  const migrations = await readMigrations();
  const client = await pool.connect();
  try {
    await requireUtf8(client);
    const applied = await readHistory(client);
    refuseForeign(applied, migrations);
    if (applied.length < migrations.length) throw new SchemaError(OUTDATED);
  } catch (error) {
    if (isUndefinedTable(error)) throw new SchemaError(OUTDATED);
    throw error;
  } finally {
    client.release();
  }
}

const OUTDATED = 'The database schema is not up to date. Run `offplan migrate` first.';

async function requireUtf8(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new SchemaError(
      `The database is encoded in ${encoding}, which cannot hold every name. Create it with "encoding 'UTF8' template template0".`,
    );
}

// Two that start at once both get here: CREATE TABLE IF NOT EXISTS can lose that race with a unique violation.
async function createHistory(client: PoolClient): Promise<void> {
  try {
    await client.query(`create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz(3) not null
    )`);
  } catch (error) {
    await readHistory(client).catch(() => {
      throw error;
    });
  }
}

async function readHistory(client: PoolClient): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select version, name, sha256 from schema_migrations order by version',
  );
  return rows;
}

async function run(client: PoolClient, migration: Migration, known: Migration[]): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query('lock table schema_migrations in share row exclusive mode');
    const applied = await readHistory(client);
    refuseForeign(applied, known);
    const pending = !applied.some(({ version }) => version === migration.version);
    if (pending) await apply(client, migration);
    await client.query('commit');
    return pending;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function apply(client: PoolClient, { version, name, sql, sha256 }: Migration): Promise<void> {
  await client.query(sql);
  await client.query('insert into schema_migrations values ($1, $2, $3, $4)', [
    version,
    name,
    sha256,
    new Date(),
  ]);
}

function refuseForeign(applied: AppliedMigration[], known: Migration[]): void {
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
