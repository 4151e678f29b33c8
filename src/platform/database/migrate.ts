import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import sql from 'sql-template-tag';
import { isUndefinedTable } from './errors.ts';
import type { Pool } from './pool.ts';
import { query, type Queryable } from './query.ts';

/** One numbered file of `migrations/`, run once, in order, never changed afterwards. */
interface Migration {
  version: number;
  name: string;
  text: string;
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
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { version: Number(name.slice(0, 4)), name, text, sha256 };
    }),
  );
}

/** Brings the schema up to date, each file in a transaction of its own; returns the names of those run. */
export async function migrate(pool: Pool): Promise<string[]> {
  const migrations = await readMigrations();
  const ran: string[] = [];
  const client = await pool.connect();
  let broken: Error | undefined;
  // Without a listener a connection that breaks would end the process.
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  try {
    await requireUtf8(client);
    await createHistory(client);
    for (const migration of migrations)
      if (await run(client, migration, migrations)) ran.push(migration.name);
    return ran;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** Throws a SchemaError unless the schema is exactly the one that this Offplan knows. */
export async function requireCurrentSchema(db: Queryable): Promise<void> {
  await requireUtf8(db);
  const migrations = await (known ??= readMigrations());
  const applied = await readHistory(db).catch((error: unknown) => {
    throw isUndefinedTable(error) ? new SchemaError(OUTDATED) : error;
  });
  refuseForeign(applied, migrations);
  if (applied.length < migrations.length) throw new SchemaError(OUTDATED);
}

// The files of a release do not change while it runs, and health checks ask often.
let known: Promise<Migration[]> | undefined;

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

function readHistory(db: Queryable): Promise<AppliedMigration[]> {
  return query<AppliedMigration>(
    db,
    'schema_history',
    sql`select version, name, sha256 from schema_migrations order by version`,
  );
}

// For the driver, which gives up on its own account, that is as long as a timer can last.
const UNHURRIED = { query_timeout: 2 ** 31 - 1 };

async function run(client: PoolClient, migration: Migration, known: Migration[]): Promise<boolean> {
  await client.query('begin');
  try {
    // A migration takes the time that it takes, whatever limits the service's statements have.
    await client.query('set local statement_timeout = 0');
    await client.query('set local lock_timeout = 0');
    const lock = 'lock table schema_migrations in share row exclusive mode';
    await client.query({ text: lock, ...UNHURRIED });
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

async function apply(
  client: PoolClient,
  { version, name, text, sha256 }: Migration,
): Promise<void> {
  await client.query({ text, ...UNHURRIED });
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
