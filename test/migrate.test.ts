import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test, type TestContext } from 'node:test';
import { dumpSchema } from '../scripts/dump-schema.ts';
import {
  migrate,
  openPool,
  requireCurrentSchema,
  SchemaError,
  type Pool,
} from '../src/platform/database/index.ts';
import { loadAccount } from '../src/portability/index.ts';
import { isCitus } from './support/databases.ts';
import { developerFile } from './support/developer.ts';
import { createDatabase, databaseUrl } from './support/harness.ts';

const run = (db: Pool, text: string) => db.query({ name: '', text, values: [] });

const emptyDatabase = (t: TestContext): Promise<Pool> => createDatabase(t, 'template0');

const history = async (db: Pool) =>
  (await run(db, 'select * from schema_migrations order by version')).rows;

const isSchemaError = (message: RegExp) => (error: unknown) =>
  error instanceof SchemaError && message.test(error.message);

test('an empty database gets every migration in order, and a row in the history for each', async (t) => {
  const db = await emptyDatabase(t);
  const ran = await migrate(db);
  assert.ok(ran.length > 0);
  assert.deepEqual(ran, ran.toSorted());
  const rows = await history(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ran,
  );
  for (const { sha256, applied_at: at } of rows) {
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.ok(at instanceof Date);
  }
  await requireCurrentSchema(db);
});

test('migrating again changes nothing', async (t) => {
  const db = await createDatabase(t);
  const before = await history(db);
  assert.deepEqual(await migrate(db), []);
  assert.deepEqual(await history(db), before);
});

test('processes that migrate at the same time run each migration once', async (t) => {
  const db = await emptyDatabase(t);
  const starts = await Promise.all(Array.from({ length: 8 }, () => migrate(db)));
  const ran = starts.flat();
  assert.deepEqual(ran.toSorted(), [...new Set(ran)].toSorted());
  assert.deepEqual(
    (await history(db)).map(({ name }) => name),
    ran.toSorted(),
  );
  assert.equal(await dumpSchema(db), await dumpSchema(await createDatabase(t)));
});

test('a migration that was changed after it ran is an error, and nothing runs', async (t) => {
  const db = await createDatabase(t);
  await run(db, `update schema_migrations set sha256 = repeat('0', 64) where version = 1`);
  const before = await history(db);
  const changed = isSchemaError(/^Migration 0001_\S+\.sql was changed after it ran\./);
  await assert.rejects(migrate(db), changed);
  await assert.rejects(requireCurrentSchema(db), changed);
  assert.deepEqual(await history(db), before);
});

test('a database of a newer release is an error that says to install it', async (t) => {
  const db = await createDatabase(t);
  await run(
    db,
    `insert into schema_migrations values (9000, '9000_later.sql', repeat('a', 64), now())`,
  );
  const newer = isSchemaError(/newer than this Offplan: it has migration 9000_later\.sql/);
  await assert.rejects(migrate(db), newer);
  await assert.rejects(requireCurrentSchema(db), newer);
});

test('a database that lacks a migration is an error that names the command to run', async (t) => {
  const db = await createDatabase(t);
  const outdated = isSchemaError(
    /^The database schema is not up to date\. Run `offplan migrate` first\.$/,
  );
  await run(db, 'delete from schema_migrations');
  await assert.rejects(requireCurrentSchema(db), outdated);
  await run(db, 'drop table schema_migrations');
  await assert.rejects(requireCurrentSchema(db), outdated);
});

test('PostgreSQL plans each table as if one account had all rows', async (t) => {
  const db = await createDatabase(t);
  const { rows: columns } = await run(
    db,
    `select relname as name, attoptions as options from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'account_id' and relkind = 'r' and relname not in ('accounts', 'account_slugs')`,
  );
  assert.ok(columns.length > 10);
  // A distribution of PostgreSQL may keep options of its own there.
  for (const { name, options } of columns) assert.ok(options.includes('n_distinct=1'), name);
});

test(
  'an upgrade of a filled database plans its tables as if one account had all rows',
  { skip: isCitus() && 'Citus came after this migration, and refuses to change the option' },
  async (t) => {
    const db = await createDatabase(t);
    for (const slug of ['one', 'another']) await loadAccount(db, developerFile(slug));
    await run(db, 'alter table projects alter column account_id reset (n_distinct)');
    await run(db, 'delete from schema_migrations where version = 4');
    assert.deepEqual(await migrate(db), ['0004_an_account_of_any_size.sql']);
    const known = await run(
      db,
      `select tablename, n_distinct from pg_stats where attname = 'account_id' and tablename in ('projects', 'imports')`,
    );
    assert.deepEqual(known.rows, [{ tablename: 'projects', n_distinct: 1 }]);
  },
);

/** Options of tests that take the extension away with a setting of PostgreSQL 18. */
const WITHOUT_TRIGRAMS = { skip: isCitus() && 'the tests change one server, not all of a Citus' };

describe('a database without the extension pg_trgm', WITHOUT_TRIGRAMS, () => {
  const missing = isSchemaError(
    /extension pg_trgm.*Let an administrator run `create extension pg_trgm`/,
  );

  /** Migrates the database over connections of their own, as this role or as its owner. */
  async function migrateAs(db: Pool, role = 'offplan'): Promise<void> {
    const url = await databaseUrl(db);
    const connectionString = url.replace(/user=offplan|offplan(?=@)/, (user) =>
      user.replace('offplan', role),
    );
    const pool = openPool({ connectionString }, () => undefined);
    try {
      await migrate(pool);
    } finally {
      await pool.end();
    }
  }

  test('gets an error that says what to do where PostgreSQL does not have it, and goes on once it has', async (t) => {
    const db = await emptyDatabase(t);
    const { rows } = await run(db, 'select current_database() as name');
    const alter = `alter database ${rows[0]?.['name']}`;
    await run(db, `${alter} set extension_control_path = '/nowhere'`);
    await assert.rejects(migrateAs(db), missing);
    assert.ok((await history(db)).length > 0);
    await run(db, `${alter} reset extension_control_path`);
    await migrateAs(db);
    await requireCurrentSchema(db);
  });

  test('gets the same error where its role may not make it, and goes on once an administrator has', async (t) => {
    const db = await emptyDatabase(t);
    const role = `limited_${randomBytes(6).toString('hex')}`;
    await run(db, `create role ${role} login`);
    await run(db, `grant all on schema public to ${role}`);
    await assert.rejects(migrateAs(db, role), missing);
    await run(db, 'create extension pg_trgm');
    await migrateAs(db, role);
    await run(db, `drop owned by ${role}`);
    await run(db, `drop role ${role}`);
  });
});

test('a migration that fails leaves nothing of itself behind', async (t) => {
  const db = await emptyDatabase(t);
  // The first migration makes a table of this name after others.
  await run(db, 'create table contacts (x integer)');
  await assert.rejects(migrate(db), /contacts/);
  assert.deepEqual(await history(db), []);
  const { rows } = await run(
    db,
    `select from pg_tables where tablename in ('accounts', 'projects')`,
  );
  assert.equal(rows.length, 0);
  await run(db, 'drop table contacts');
  assert.ok((await migrate(db)).length > 0);
});

test('a failed migration leaves its connection without an open transaction', async (t) => {
  const db = await createDatabase(t);
  await run(db, `update schema_migrations set sha256 = repeat('0', 64) where version = 1`);
  await assert.rejects(migrate(db));
  const { rows } = await run(db, 'select now() = statement_timestamp() as alone');
  assert.equal(rows[0]?.['alone'], true);
});

test('the committed schema is what the migrations make; else run scripts/dump-schema.ts', async (t) => {
  const committed = new URL('../src/platform/database/schema.sql', import.meta.url);
  assert.equal(await dumpSchema(await createDatabase(t)), await readFile(committed, 'utf8'));
});
