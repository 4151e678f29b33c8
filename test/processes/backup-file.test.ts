import assert from 'node:assert/strict';
import {
  execFileSync,
  spawn,
  spawnSync,
  type ChildProcessWithoutNullStreams,
} from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test, type TestContext } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { developerFile } from '../support/developer.ts';
import { startFaultyProxy } from '../support/faults.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { someoneWaits, whileLocked } from '../support/locks.ts';
import { BIN, dataFolder, offplan, runCommand, serving, type Serving } from '../support/process.ts';
import { run as query } from '../support/sql.ts';
import { until } from '../support/until.ts';

const ACCOUNT = 'backed-up';
const folder = dataFolder({ after });
const embedded = { OFFPLAN_DATA_DIR: folder, LOG_LEVEL: 'error' };
const FILE = join(folder, 'nightly.backup');
/** Emails whose leads were answered with 201, in order, and how many there were when the backup was started. */
const acknowledged: string[] = [];
let acknowledgedBefore = 0;
let key = '';

const send = ({ url }: Serving, email: string) =>
  fetch(`${url}/api/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, notes: 'Tāmaki\t"\\."\n\\.\n', tags: ['Hot', 'Brochure'] }),
  });

/** Sends leads, several at a time, until the signal. */
async function sendLeads(server: Serving, signal: AbortSignal): Promise<void> {
  let count = 0;
  async function sendOneByOne(): Promise<void> {
    while (!signal.aborted) {
      const email = `lead-${(count += 1)}@example.com`;
      if ((await send(server, email)).status === 201) acknowledged.push(email);
    }
  }
  await Promise.all(Array.from({ length: 8 }, sendOneByOne));
}

// Backs up while leads arrive, once for all tests.
before(async () => {
  const server = await serving(embedded);
  after(() => server.stop());
  const contacts = [{ email: 'first@example.com', notes: '021 555 0100' }];
  const loaded = JSON.stringify(developerFile(ACCOUNT, contacts));
  const load = await offplan(['load', '-'], embedded, loaded);
  assert.equal(load.code, 0, load.stderr);
  const made = await offplan(
    ['keys', 'create', ACCOUNT, '--access', 'read-write', '--name', 'site'],
    embedded,
  );
  key = made.stdout.trim();
  const stop = new AbortController();
  const sending = sendLeads(server, stop.signal);
  await until(() => acknowledged.length >= 50);
  acknowledgedBefore = acknowledged.length;
  const { code, stdout, stderr } = await offplan(['backup', FILE], embedded);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Backed up \d+ tables with [\d,]+ rows in [\d.]+ m?s.*\.\n$/);
  stop.abort();
  await sending;
  await server.stop();
});

const readText = (file: string): string => gunzipSync(readFileSync(file)).toString();
/** A backup without its first line, which names the time. */
const rowsOf = (file: string): string => readText(file).replace(/^.*\n/, '');

async function external(t: TestContext) {
  const db = await createDatabase(t);
  return { db, environment: { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' } };
}

test('backup while leads arrive, and restore into an external PostgreSQL: every lead acknowledged before it is there, whole', async (t) => {
  const { db, environment } = await external(t);
  const restored = await offplan(['restore', FILE], environment);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /^Restored \d+ tables with [\d,]+ rows in .*, as of \d{4}-.*Z \(/);
  const rows = await query(db, 'select email from contacts');
  const emails = new Set(rows.rows.map(({ email }) => email as string));
  for (const email of acknowledged.slice(0, acknowledgedBefore))
    assert.ok(emails.has(email), `${email} was acknowledged before the backup`);
  assert.ok(acknowledged.length > acknowledgedBefore, 'leads arrived meanwhile');
  // One moment for all tables: no contact without its log, note and tags, and none of these without it.
  const [counts] = (
    await query(
      db,
      `select (select count(*) from contacts)::int - 1 as contacts,
        (select count(*) from imports)::int as imports,
        (select count(*) from activities)::int as notes,
        (select count(*) from contact_tags)::int as tags`,
    )
  ).rows;
  const { contacts } = counts as { contacts: number };
  assert.deepEqual(counts, { contacts, imports: contacts, notes: contacts, tags: contacts * 2 });

  const again = join(dataFolder(t), 'again.backup');
  assert.equal((await runCommand(['backup', again], environment)).code, 0);
  assert.equal(rowsOf(again), rowsOf(FILE), 'a backup of the restored database has the same rows');

  const server = await serving(environment);
  t.after(() => server.stop());
  assert.equal((await send(server, 'lead-1@example.com')).status, 200, 'the key still works');
});

test('restore into a new embedded PostgreSQL, from stdin; a service that ran on it before its first account does not matter', async (t) => {
  const other = { OFFPLAN_DATA_DIR: dataFolder(t), LOG_LEVEL: 'error' };
  await (await serving(other)).stop();
  const again = join(other.OFFPLAN_DATA_DIR, 'again.backup');
  const cat = `cat "$1" | "$0" restore -`;
  const env = { ...process.env, ...other };
  const restored = spawnSync('sh', ['-c', cat, BIN, FILE], { env, encoding: 'utf8' });
  // It has another secret key, but the backup has nothing that is encrypted.
  assert.deepEqual([restored.status, restored.stderr], [0, '']);
  assert.match(restored.stdout, /^Restored /);
  const piped = execFileSync('sh', ['-c', '"$0" backup - > "$1"', BIN, again], { env });
  assert.equal(piped.toString(), '');
  assert.equal(rowsOf(again), rowsOf(FILE));
});

test('a backup has every table of the schema and every column, and the schema has no sequence that it would miss', async (t) => {
  const schema = readFileSync(
    new URL('../../src/platform/database/schema.sql', import.meta.url),
    'utf8',
  );
  const listNames = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name);
  const tables = listNames(schema, /^create table (\w+)/gm);
  const saved = listNames(readText(FILE), /^-- \{"table":"(\w+)"/gm);
  assert.deepEqual(new Set([...saved, 'schema_migrations']), new Set(tables));
  const { db } = await external(t);
  const others = await query(
    db,
    `select relname from pg_class where relkind not in ('r', 'i') and relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`,
  );
  assert.deepEqual(others.rows, []);
});

test('the file of a backup is readable by its owner alone, and an existing file is left as it is', async () => {
  assert.equal(statSync(FILE).mode & 0o777, 0o600);
  const saved = readFileSync(FILE);
  const { code, stderr } = await runCommand(['backup', FILE], embedded);
  assert.equal(code, 1);
  assert.match(stderr, /^offplan: .*nightly\.backup already exists; name a new file\n$/);
  assert.deepEqual(readFileSync(FILE), saved);
});

test('a backup that cannot be written, or that Ctrl-C stops, leaves no file', async (t) => {
  const missing = join(folder, 'no-such-folder', 'x.backup');
  const refused = await runCommand(['backup', missing], embedded);
  assert.match(refused.stderr, /^offplan: .* cannot be written: there is no such folder\n$/);
  const { db, environment } = await external(t);
  const place = dataFolder(t);
  const files = readdirSync(place);
  await whileLocked(db, 'contacts', async () => {
    const env = { ...process.env, ...environment };
    const child = spawn(BIN, ['backup', join(place, 'x.backup')], { env });
    t.after(() => void child.kill('SIGKILL'));
    const [stderr, exit] = [text(child.stderr), once(child, 'exit')];
    await until(() => readdirSync(place).length > files.length);
    await someoneWaits(db);
    child.kill('SIGINT');
    assert.deepEqual([await stderr, (await exit)[0]], ['Stopped; no backup was written.\n', 130]);
  });
  assert.deepEqual(readdirSync(place), files);
});

test('of two backups into one file at once, the one that ends first has it, and the other one is refused', async (t) => {
  const { db, environment } = await external(t);
  const place = dataFolder(t);
  const list = () => readdirSync(place).filter((name) => name.startsWith('x.backup'));
  const env = { ...process.env, ...environment };
  const ended: Promise<{ code: number; stderr: string }>[] = [];
  await whileLocked(db, 'contacts', async () => {
    const children = [1, 2].map(() => spawn(BIN, ['backup', join(place, 'x.backup')], { env }));
    for (const child of children) {
      t.after(() => void child.kill('SIGKILL'));
      ended.push(readEnd(child));
    }
    await someoneWaits(db, 2);
  });
  const [first, second] = (await Promise.all(ended)).toSorted((a, b) => a.code - b.code);
  assert.deepEqual([first?.code, second?.code], [0, 1]);
  assert.match(second?.stderr ?? '', /^offplan: .*x\.backup already exists; name a new file$/m);
  assert.deepEqual(list(), ['x.backup']);
});

test('a backup names the file that a killed one has left, and writes its own', async (t) => {
  const { db, environment } = await external(t);
  const place = dataFolder(t);
  const list = () => readdirSync(place).filter((name) => name.startsWith('x.backup'));
  const args = ['backup', join(place, 'x.backup')];
  await whileLocked(db, 'contacts', async () => {
    const child = spawn(BIN, args, { env: { ...process.env, ...environment } });
    await until(() => list().length > 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const [left = ''] = list();
  const { code, stderr } = await runCommand(args, environment);
  assert.equal(code, 0, stderr);
  assert.equal(
    stderr,
    `${join(place, left)} is of a backup that was killed or still runs. Remove it when no backup runs.\n`,
  );
  assert.deepEqual(list().toSorted(), ['x.backup', left].toSorted());
});

test('restore refuses a database with an account, another schema version, and a file that is not a whole backup; it then stores nothing', async (t) => {
  const { db, environment } = await external(t);
  const place = dataFolder(t);
  const refuses = async (content: Buffer, reason: RegExp) => {
    const file = join(place, 'refused.backup');
    writeFileSync(file, content);
    const { code, stdout, stderr } = await runCommand(['restore', file], environment);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^offplan: [^\n]*refused\.backup was not restored: [^\n]*\n$/);
    assert.match(stderr, reason);
    const { rows } = await query(db, 'select slug from account_slugs');
    assert.deepEqual(rows, []);
  };
  const whole = readFileSync(FILE);
  const saved = readText(FILE);
  const pack = (changed: string) => gzipSync(changed);
  const cutAfter = saved.indexOf('-- {"table":"tags"');
  await refuses(
    Buffer.from('PGDMP'),
    /it is not a backup of Offplan, or it was cut off or damaged/,
  );
  await refuses(pack('{"format":"offplan-account/1"}'), /it is not a backup of Offplan/);
  await refuses(whole.subarray(0, whole.length / 2), /it was cut off or damaged/);
  await refuses(pack(saved.slice(0, cutAfter)), /it was cut off/);
  await refuses(pack(saved.slice(0, cutAfter - 100)), /damaged|cut off/);
  await refuses(pack(saved.replace('021 555', '022 555')), /it is damaged/);
  // The rows are whole, but the check of the compressed file is not.
  for (const bytes of [1, 4, 8])
    await refuses(whole.subarray(0, whole.length - bytes), /it was cut off or damaged/);
  await refuses(Buffer.concat([whole, whole]), /it is damaged: something follows its end/);
  await refuses(
    pack(saved.replace(/\t\d{4}-\d\d-/, '\tsome-day-')),
    /it is damaged: PostgreSQL refuses rows of \w+\n/,
  );
  await refuses(pack(saved.replace('offplan-backup/1', 'offplan-backup/9')), /format is offplan-b/);
  await refuses(
    pack(saved.replace(/,\{"name":"\w+\.sql","sha256":"\w+"\}\]/, ']')),
    /schema version \d+, and the database has \d+: restore it with release \S+ of Offplan/,
  );
  const ofLaterRelease = saved
    .replace('}]}', '},{"name":"9999_later.sql","sha256":""}]}')
    .replace(/"release":"[^"]*"/, '"release":"9.1.0"');
  await refuses(
    pack(ofLaterRelease),
    /the database has \d+: upgrade this installation to release 9\.1\.0 of Offplan first\n$/,
  );
  const missing = await runCommand(['restore', join(place, 'none')], environment);
  assert.match(missing.stderr, /^offplan: \S+none cannot be read: there is no such file\n$/);
  const unnamed = await runCommand(['restore', ''], environment);
  assert.match(unnamed.stderr, /^offplan: "" cannot be read: there is no such file\n$/);

  assert.equal((await runCommand(['restore', FILE], environment)).code, 0);
  const twice = await runCommand(['restore', FILE], environment);
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /the database is not empty: its table \w+ has rows\. Restore into a/);
});

test('restore names the database, and not the file, when the connection is reset', async (t) => {
  const { db, environment } = await external(t);
  const proxy = await startFaultyProxy(t, db);
  await whileLocked(db, 'contacts', async () => {
    const restoring = offplan(['restore', FILE], { ...environment, DATABASE_URL: proxy.url });
    await someoneWaits(db);
    proxy.drop();
    const { code, stderr } = await restoring;
    assert.deepEqual(
      [code, stderr],
      [1, 'offplan: the database cannot be reached: read ECONNRESET\n'],
    );
  });
});

test("a table of the operator's own is left out by restore, which says so", async (t) => {
  const [from, to] = [await external(t), await external(t)];
  await query(from.db, 'create table lists_of_ours (id int, note text)');
  await query(from.db, `insert into lists_of_ours values (1, 'one')`);
  const file = join(dataFolder(t), 'own.backup');
  assert.equal((await runCommand(['backup', file], from.environment)).code, 0);
  const { code, stdout } = await runCommand(['restore', file], to.environment);
  assert.equal(code, 0);
  assert.match(stdout, /^Left out, since not of Offplan: lists_of_ours\.\n/m);
});

test('backup and serve of a role that may not read the tables end with a line that says so', async (t) => {
  const { db, environment } = await external(t);
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = new URL(environment.DATABASE_URL);
  if (url.searchParams.has('user')) url.searchParams.set('user', role);
  else url.username = role;
  await query(db, `create role ${role} login`);
  // A migration of another role has made the tables.
  await query(db, `grant select on schema_migrations to ${role}`);
  try {
    const file = join(dataFolder(t), 'refused.backup');
    for (const command of [
      ['backup', file],
      ['serve', '--port', '0'],
    ]) {
      const { code, stderr } = await offplan(command, {
        DATABASE_URL: url.href,
        LOG_LEVEL: 'fatal',
      });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^offplan: the role that DATABASE_URL names lacks a right: permission denied for \w+ \w+\n$/,
      );
    }
  } finally {
    await query(db, `drop owned by ${role}`);
    await query(db, `drop role ${role}`);
  }
});

test('migrate names the GRANT that a role without rights on the schema public needs', async (t) => {
  const db = await createDatabase(t, 'template0');
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = new URL(await databaseUrl(db));
  if (url.searchParams.has('user')) url.searchParams.set('user', role);
  else url.username = role;
  await query(db, 'create extension pg_trgm');
  await query(db, `create role ${role} login`);
  const migrateAsRole = () => runCommand(['migrate'], { DATABASE_URL: url.href });
  try {
    const refused = await migrateAsRole();
    assert.equal(refused.code, 1);
    const [, grant = ''] =
      /^offplan: the role that DATABASE_URL names lacks a right: permission denied for schema public; [^\n]*: (GRANT [^\n]*<role>)\n$/.exec(
        refused.stderr,
      ) ?? [];
    await query(db, grant.replace('<role>', role));
    assert.equal((await migrateAsRole()).stderr, '');
  } finally {
    await query(db, `drop owned by ${role}`);
    await query(db, `drop role ${role}`);
  }
});

test('restore asks for `offplan migrate` first on an external database without the schema', async (t) => {
  const db = await createDatabase(t, 'template1');
  const environment = { DATABASE_URL: await databaseUrl(db) };
  const { code, stderr } = await runCommand(['restore', FILE], environment);
  assert.equal(code, 1);
  assert.match(stderr, /Run `offplan migrate` first/);
});

async function readEnd(child: ChildProcessWithoutNullStreams) {
  const [stderr, exit] = [text(child.stderr), once(child, 'exit')];
  return { code: Number((await exit)[0]), stderr: await stderr };
}
