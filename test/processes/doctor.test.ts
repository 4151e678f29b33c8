import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { examine } from '../../src/doctor/index.ts';
import type { Queryable } from '../../src/platform/database/index.ts';
import { createDatabase, databaseUrl } from '../harness.ts';
import { run } from '../instances.ts';
import { IGNORED, startPooler, withoutPooler } from '../pooler.ts';
import { dataFolder, offplan } from '../process.ts';

interface Result {
  name: string;
  status: string;
  found: string;
  advice?: string;
}

const HOUR_MS = 3_600_000;
const folder = dataFolder({ after });

/** Runs the command with these settings, and returns its findings. The exit code says whether any of them warns. */
async function runDoctor(settings: Record<string, string>): Promise<Result[]> {
  const environment = { OFFPLAN_MEDIA_DIR: folder, LOG_LEVEL: 'error', ...settings };
  const { code, stdout, stderr } = await offplan(['doctor', '--json'], environment);
  assert.equal(stderr, '');
  const results = JSON.parse(stdout) as Result[];
  assert.equal(code, results.some(({ status }) => status === 'warning') ? 1 : 0);
  return results;
}

/** Runs the checks in this process, which takes less time than the command. */
const examineDatabase = (db: Queryable): Promise<Result[]> =>
  examine({ db, workers: 1, folders: [folder], now: () => new Date() });

function assertWarns(results: Result[], name: string, found: RegExp, advice: RegExp): void {
  const result = results.find((each) => each.name === name);
  assert.equal(result?.status, 'warning', result?.found);
  assert.match(result.found, found);
  assert.match(result.advice ?? '', advice);
}

const calmDatabase = await createDatabase({ after });
const DATABASE_URL = await databaseUrl(calmDatabase);

test('offplan doctor looks at eleven parts of an installation and says in plain words what it saw', async () => {
  const { stdout } = await offplan(['doctor'], { DATABASE_URL, OFFPLAN_MEDIA_DIR: folder });
  const names = [...stdout.matchAll(/^(?:ok|warning|unknown) +([a-z ]+): .*\.$/gm)].map(
    ([, name]) => name,
  );
  const checks = [
    'connections',
    'settings',
    'version',
    'schema',
    'logs',
    'dead rows',
    'transactions',
    'replication',
    'pooler',
    'clock',
    'disk',
  ];
  assert.deepEqual(names, checks);
  assert.doesNotMatch(stdout, /^unknown/m);
});

test('offplan doctor works on an embedded PostgreSQL', async (t) => {
  const { code, stdout } = await offplan(['doctor'], { OFFPLAN_DATA_DIR: dataFolder(t) });
  assert.ok(code === 0 || code === 1);
  assert.match(stdout, /^ok +pooler: connections have the limits of requests\.$/m);
});

test('doctor names more processes than PostgreSQL has connections for', async () => {
  const results = await runDoctor({ DATABASE_URL, OFFPLAN_WORKERS: '64' });
  assertWarns(results, 'connections', /this node opens up to 1098$/, /Raise max_connections/);
});

test('doctor names a setting with which PostgreSQL loses acknowledged leads', async (t) => {
  const db = await createDatabase(t);
  const [{ name } = assert.fail()] = (await run(db, 'select current_database() as name')).rows;
  await run(db, `alter database "${String(name)}" set synchronous_commit = off`);
  // The setting holds for new connections.
  assertWarns(
    await runDoctor({ DATABASE_URL: await databaseUrl(db) }),
    'settings',
    /synchronous_commit (is|are) off, so that/,
    /^Set .*synchronous_commit to on\.$/,
  );
});

test('doctor names an index that PostgreSQL does not use, and migrations that have not run', async (t) => {
  const db = await createDatabase(t);
  await run(
    db,
    `update pg_index set indisvalid = false where indexrelid = 'contacts_by_name'::regclass`,
  );
  assertWarns(
    await examineDatabase(db),
    'schema',
    /contacts_by_name/,
    /reindex index concurrently contacts_by_name;$/,
  );
  await run(
    db,
    'delete from schema_migrations where version = (select max(version) from schema_migrations)',
  );
  assertWarns(
    await examineDatabase(db),
    'schema',
    /not that of this release/,
    /Run `offplan migrate` first/,
  );
});

test('doctor names a log that has grown beyond what a sweep deletes quickly', async (t) => {
  const db = await createDatabase(t);
  await run(db, `update pg_class set reltuples = 2e8 where oid = 'events'::regclass`);
  assertWarns(
    await examineDatabase(db),
    'logs',
    /^events has about 200,000,000 rows/,
    /fewer days with OFFPLAN_EVENT_DAYS/,
  );
});

test('doctor names a table that autovacuum leaves out', async (t) => {
  const db = await createDatabase(t);
  await run(db, 'alter table contacts set (autovacuum_enabled = false)');
  assertWarns(await examineDatabase(db), 'dead rows', /^autovacuum is off/, /^Turn autovacuum on/);
});

test(
  'doctor names a pooler that drops the limits of requests',
  { skip: withoutPooler },
  async (t) => {
    const pooled = await startPooler(t, DATABASE_URL, {
      pool_mode: 'session',
      ignore_startup_parameters: IGNORED,
    });
    const results = await runDoctor({ DATABASE_URL: pooled });
    assertWarns(
      results,
      'pooler',
      /drops the limits/,
      /the SQL that `offplan role-settings` prints/,
    );
  },
);

test('doctor names a disk without space', async () => {
  // Linux says that this file system has no space at all.
  const results = await runDoctor({ DATABASE_URL, OFFPLAN_MEDIA_DIR: '/proc/media' });
  assertWarns(
    results,
    'disk',
    /^\/proc\/media has 0 bytes of 0 bytes free$/,
    /^Free space or grow the disk/,
  );
});

test('doctor names a transaction that has been open for hours, and clocks that differ', async () => {
  const db = calmDatabase;
  const client = await db.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const now = () => new Date(Date.now() + 2 * HOUR_MS);
    const results = await examine({ db, workers: 1, folders: [], now });
    const find = (name: string) => results.find((each) => each.name === name);
    assert.equal(find('transactions')?.status, 'warning');
    assert.match(find('transactions')?.advice ?? '', new RegExp(`backend\\(${rows[0].pid}\\);$`));
    assert.equal(find('clock')?.status, 'warning');
    assert.match(find('clock')?.advice ?? '', /^Run NTP on both/);
    await client.query('rollback');
  } finally {
    client.release();
  }
});

test('a check that cannot look says why, and the others go on', async () => {
  const results = await examine({
    db: calmDatabase,
    workers: 1,
    folders: ['/proc/version/media'],
    now: () => new Date(),
  });
  const disk = results.find(({ name }) => name === 'disk');
  assert.equal(disk?.status, 'unknown');
  assert.match(disk.found, /^this could not be looked at: ENOTDIR/);
});
