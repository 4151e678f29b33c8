import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { examine } from '../../src/doctor/index.ts';
import { openPool, type Queryable } from '../../src/platform/database/index.ts';
import { isCitus } from '../support/databases.ts';
import { developersOf } from '../support/developer.ts';
import { build, createDatabase, databaseUrl, SECRET_KEY } from '../support/harness.ts';
import { IGNORED, startPooler, withoutPooler } from '../support/pooler.ts';
import { dataFolder, offplan } from '../support/process.ts';
import { run } from '../support/sql.ts';

interface Result {
  name: string;
  server?: string;
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
const examineDatabase = (
  db: Queryable,
  installation: Partial<Parameters<typeof examine>[0]> = {},
): Promise<Result[]> =>
  examine({
    db,
    citusWorkers: [],
    secretKey: null,
    workers: 1,
    isEmbedded: false,
    folders: [folder],
    now: () => new Date(),
    ...installation,
  });

function assertWarns(results: Result[], name: string, found: RegExp, advice: RegExp): void {
  const result = results.find((each) => each.name === name);
  assert.equal(result?.status, 'warning', result?.found);
  assert.match(result.found, found);
  assert.match(result.advice ?? '', advice);
}

const calmDatabase = await createDatabase({ after });
const DATABASE_URL = await databaseUrl(calmDatabase);

test('offplan doctor looks at fourteen parts of an installation and reports what it found', async () => {
  const { stdout } = await offplan(['doctor'], { DATABASE_URL, OFFPLAN_MEDIA_DIR: folder });
  const names = [...stdout.matchAll(/^(?:ok|warning|unknown) +([a-z ]+): .*\.$/gm)].map(
    ([, name]) => name,
  );
  const checks = [
    'connections',
    'settings',
    'version',
    'schema',
    'rights',
    'indexes',
    // The coordinator of a Citus has no rows.
    ...(isCitus() ? [] : ['logs', 'dead rows']),
    'transactions',
    'replication',
    'pooler',
    'clock',
    'secrets',
    'disk',
  ];
  assert.deepEqual(names, checks);
  assert.doesNotMatch(stdout, /^unknown/m);
});

test('offplan doctor works on an embedded PostgreSQL', async (t) => {
  const environment = { OFFPLAN_DATA_DIR: dataFolder(t), OFFPLAN_WORKERS: '5' };
  const { code, stdout } = await offplan(['doctor'], environment);
  assert.equal(code, 1);
  // 18 of each worker and 11 of the first process; the embedded PostgreSQL allows 97.
  assert.match(stdout, /^warning +connections: .* this node opens up to 101\.$/m);
  assert.match(stdout, /^ok +pooler: connections have the limits of requests\.$/m);
});

test('doctor names more processes than PostgreSQL has connections for', async () => {
  const results = await runDoctor({ DATABASE_URL, OFFPLAN_WORKERS: '64' });
  assertWarns(results, 'connections', /this node opens up to 1098$/, /Raise max_connections/);
});

/** Runs the checks over a connection of a role that may not look at the sessions of others. */
async function examineAsPlainRole(connectionLimit = -1): Promise<Result[]> {
  const client = await calmDatabase.connect();
  const role = `doctor_${randomBytes(4).toString('hex')}`;
  try {
    await client.query(
      `create role ${role} connection limit ${connectionLimit}; grant select on all tables in schema public to ${role}; set role ${role}`,
    );
    return await examineDatabase(client);
  } finally {
    await client.query(`reset role; drop owned by ${role}; drop role ${role}`);
    client.release();
  }
}

test('doctor names the tables that the role may not read or write, and the rights that it lacks', async () => {
  assertWarns(
    await examineAsPlainRole(),
    'rights',
    /^the role doctor_\w+ lacks rights.*: insert, update, delete on account_revisions; .*insert, update, delete on views;/,
    /grant select, insert, update, delete on all tables in schema public to doctor_\w+;$/,
  );
});

test('doctor counts the connections of other roles without pg_monitor', async (t) => {
  const others = await Promise.all(Array.from({ length: 5 }, () => calmDatabase.connect()));
  t.after(() => others.forEach((client) => client.release()));
  const connections = (await examineAsPlainRole()).find(({ name }) => name === 'connections');
  const [, used] = /^(\d+) of/.exec(connections?.found ?? '') ?? [];
  assert.ok(Number(used) >= others.length, connections?.found);
});

test('doctor names a connection limit of its role that is lower than the connections of a node', async () => {
  assertWarns(
    await examineAsPlainRole(12),
    'connections',
    /^\d+ of 12 connections are open, and this node opens up to 17$/,
    /^Raise the connection limit of the role doctor_\w+ of PostgreSQL, lower/,
  );
});

test('doctor does not say that no transaction is open when its role may not see those of others', async (t) => {
  const other = await calmDatabase.connect();
  t.after(() => other.release());
  const transactions = (await examineAsPlainRole()).find(({ name }) => name === 'transactions');
  assert.equal(transactions?.status, 'unknown');
  assert.match(transactions.found, /needs pg_monitor to see the transactions of others$/);
});

test('doctor says that stored secrets were encrypted with another OFFPLAN_SECRET_KEY', async (t) => {
  const service = await build(t);
  const { slug } = await developersOf(service)();
  const { status } = await service.send({
    method: 'POST',
    url: '/api/v1/webhooks',
    key: await service.key(slug, 'all'),
    payload: { url: 'https://hooks.example/offplan', types: ['*'] },
  });
  assert.equal(status, 201);
  const doctor = (secretKey: Buffer | null) => examineDatabase(service.db, { secretKey });
  assertWarns(
    await doctor(randomBytes(32)),
    'secrets',
    /^1 of 1 secrets/,
    /^Set OFFPLAN_SECRET_KEY/,
  );
  assertWarns(await doctor(null), 'secrets', /^OFFPLAN_SECRET_KEY is not set, and 1/, /^Set it/);
  const found = (await doctor(SECRET_KEY)).find(({ name }) => name === 'secrets');
  assert.equal(found?.status, 'ok', found?.found);
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

test('doctor names the setting with which PostgreSQL takes no writes', async (t) => {
  const db = await createDatabase(t);
  const [{ name } = assert.fail()] = (await run(db, 'select current_database() as name')).rows;
  await run(db, `alter database "${String(name)}" set default_transaction_read_only = on`);
  assertWarns(
    await runDoctor({ DATABASE_URL: await databaseUrl(db) }),
    'settings',
    /^default_transaction_read_only is on, so that no lead can be stored$/,
    /then set it to off\.$/,
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
    'indexes',
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
    const results = await examineDatabase(db, { now });
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

test('doctor names a worker of a Citus that does not answer', async (t) => {
  const pool = openPool('postgres://127.0.0.1:1/offplan', () => undefined);
  t.after(() => pool.end());
  const results = await examineDatabase(calmDatabase, {
    citusWorkers: [{ address: '127.0.0.1:1', pool }],
  });
  assertWarns(
    results.filter(({ server }) => server === '127.0.0.1:1'),
    'network',
    /^this machine cannot reach the worker: .*ECONNREFUSED/,
    /^Start the worker, or let its standby take over/,
  );
});

test(
  'on a Citus, doctor looks at the rows of each worker',
  { skip: !isCitus() && 'needs a Citus' },
  async () => {
    const results = await runDoctor({ DATABASE_URL });
    const servers = new Set(results.map(({ server }) => server));
    assert.equal(servers.size, 3);
    for (const server of servers) {
      const logs = results.find((each) => each.server === server && each.name === 'logs');
      // The coordinator has no rows.
      assert.equal(logs === undefined, server === undefined);
      if (logs !== undefined)
        assert.match(logs.found, /^events has about \d+ rows .*; imports has/);
    }
    assert.equal(results.filter(({ status }) => status === 'unknown').length, 0);
  },
);

test('doctor says once that the database does not answer and what to do, and still looks at the disk', async () => {
  const results = await runDoctor({ DATABASE_URL: 'postgresql://crm@127.0.0.1:1/offplan' });
  assert.deepEqual(
    results.map(({ name }) => name),
    ['network', 'disk'],
  );
  assertWarns(
    results,
    'network',
    /does not answer: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    /^Start PostgreSQL, .* or correct DATABASE_URL/,
  );
});

test('doctor says before the first migration that there is no log yet', async (t) => {
  const db = await createDatabase(t, 'template0');
  const logs = (await examineDatabase(db)).find(({ name }) => name === 'logs');
  assert.equal(logs?.found, 'there is no log yet');
});

test('a check that cannot look says why, and the others go on', async () => {
  const results = await examineDatabase(calmDatabase, { folders: ['/proc/version/media'] });
  const disk = results.find(({ name }) => name === 'disk');
  assert.equal(disk?.status, 'unknown');
  assert.match(disk.found, /^this could not be looked at: ENOTDIR/);
});
