import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { migrate, openPool } from '../../src/platform/database/index.ts';
import { createEmptyCitus, isCitus, urlOf } from '../support/databases.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { dataFolder, createCommand } from '../support/process.ts';
import { run } from '../support/sql.ts';

const distributeOn = (environment: Record<string, string>) =>
  createCommand({ LOG_LEVEL: 'error', ...environment })('distribute');

test('offplan distribute refuses the embedded PostgreSQL', async () => {
  const { code, stdout, stderr } = await distributeOn({
    DATABASE_URL: '',
    OFFPLAN_DATA_DIR: dataFolder({ after }),
  });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^offplan: the embedded PostgreSQL [^\n]*DATABASE_URL[^\n]*\n$/);
});

test(
  'offplan distribute refuses a PostgreSQL without Citus',
  { skip: isCitus() && 'the server has Citus' },
  async () => {
    const DATABASE_URL = await databaseUrl(await createDatabase({ after }));
    const { code, stdout, stderr } = await distributeOn({ DATABASE_URL });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^offplan: [^\n]*`create extension citus`[^\n]*\n$/);
  },
);

test('offplan distribute refuses a database that offplan migrate has not run on', async () => {
  const DATABASE_URL = await databaseUrl(await createDatabase({ after }, 'template1'));
  const { code, stdout, stderr } = await distributeOn({ DATABASE_URL });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^offplan: [^\n]*offplan migrate[^\n]*\n$/);
});

describe('offplan distribute on a Citus', { skip: !isCitus() && 'needs a Citus' }, () => {
  test('refuses without a worker, distributes all tables of tenants with one, and again changes nothing', async () => {
    const { name, addWorkers } = await createEmptyCitus({ after });
    const DATABASE_URL = urlOf(name);
    const db = openPool(DATABASE_URL, () => undefined);
    after(() => db.end());
    await migrate(db);
    const refused = await distributeOn({ DATABASE_URL });
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^offplan: Citus has no worker\. [^\n]*citus_add_node[^\n]*\n$/);

    await addWorkers();
    const first = await distributeOn({ DATABASE_URL });
    assert.deepEqual([first.code, first.stderr], [0, '']);
    const { rows } = await run(
      db,
      `select count(distinct colocationid)::int as colocations, array(
          select relname::text from pg_class join pg_attribute on attrelid = pg_class.oid
          where attname = 'account_id' and relkind = 'r' and relnamespace = 'public'::regnamespace
            and pg_class.oid not in (select logicalrelid from pg_dist_partition)
        ) as missing
        from pg_dist_partition where partmethod = 'h'`,
    );
    assert.deepEqual(rows, [{ colocations: 1, missing: [] }]);
    assert.match(first.stdout, /^Distributed accounts\.$/m);
    assert.match(first.stdout, /^Distributed contacts\.$/m);

    const second = await distributeOn({ DATABASE_URL });
    assert.deepEqual([second.code, second.stdout], [0, 'All tables are distributed.\n']);
  });

  test('lets later migrations change its tables, and distributes the tables that they create', async () => {
    const db = await createDatabase({ after });
    await run(db, 'delete from schema_migrations where version in (33, 41, 43)');
    for (const text of [
      'drop table views, media, contact_file_refusals',
      'alter table contact_files drop column reasons',
    ])
      await run(db, text);
    assert.deepEqual(await migrate(db), [
      '0033_views.sql',
      '0041_media.sql',
      '0043_dry_run_reports.sql',
    ]);
    const { rows } = await run(
      db,
      `select logicalrelid::text as name from pg_dist_partition
        where logicalrelid::text in ('views', 'media', 'contact_file_refusals') order by 1`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['contact_file_refusals', 'media', 'views'],
    );
  });

  test('does not let a connection grow with the statements that it runs, also when the coordinator has shards', async () => {
    const { name, addWorkers } = await createEmptyCitus({ after });
    const DATABASE_URL = urlOf(name);
    const db = openPool(DATABASE_URL, () => undefined, { max: 1 });
    after(() => db.end());
    await migrate(db);
    await addWorkers();
    await run(
      db,
      `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', groupid = 0) from pg_dist_node`,
    );
    assert.equal((await distributeOn({ DATABASE_URL })).code, 0);

    const { rows: shards } = await run(
      db,
      `select distinct nodeport from citus_shards where citus_table_type = 'distributed'`,
    );
    assert.deepEqual(shards, [{ nodeport: Number(new URL(DATABASE_URL).port) }]);
    const measure = async () => {
      const { rows } = await run(
        db,
        'select sum(total_bytes)::int as bytes from pg_backend_memory_contexts',
      );
      return Number(rows[0]?.['bytes']);
    };
    const find = async () => {
      const text = 'select id from contacts where account_id = $1 and email_key = $2';
      await db.query({ name: 'find', text, values: [randomUUID(), 'ana@example.org'] });
    };
    for (let count = 0; count < 20; count += 1) await find();
    const before = await measure();
    for (let count = 0; count < 200; count += 1) await find();
    assert.ok((await measure()) - before < 1_000_000);
  });
});
