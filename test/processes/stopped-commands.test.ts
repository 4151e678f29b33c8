import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { findAccountBySlug, lockAccount } from '../../src/accounts/index.ts';
import { openPool, runInTransaction } from '../../src/platform/database/index.ts';
import { startEmbedded } from '../../src/platform/postgres/index.ts';
import { isCitus } from '../support/databases.ts';
import { developersOf } from '../support/developer.ts';
import { build, createDatabase, databaseUrl } from '../support/harness.ts';
import { endWaiting, someoneWaits, whileLocked } from '../support/locks.ts';
import { drawPicture } from '../support/pictures.ts';
import { BIN, dataFolder, offplan } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const service = await build({ after });
const environment = { DATABASE_URL: await databaseUrl(service.db), LOG_LEVEL: 'error' };

interface StopOptions {
  input?: string | Buffer;
  settings?: NodeJS.ProcessEnv;
  signal?: NodeJS.Signals;
}

/** Starts a command with this input, and stops it by Ctrl-C or another signal after `waitUntilReady`. Returns its exit code and its last line. */
async function stop(
  t: TestContext,
  args: string[],
  waitUntilReady: (printed: () => string) => Promise<void>,
  { input = '', settings = {}, signal = 'SIGINT' }: StopOptions = {},
): Promise<{ code: number; line: string | undefined }> {
  const env = { ...process.env, ...environment, ...settings };
  const child = spawn(BIN, args, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const closed = once(child, 'close');
  child.stdin.write(input);
  await waitUntilReady(() => printed);
  child.kill(signal);
  const [code] = (await closed) as [number];
  return { code, line: printed.trim().split('\n').at(-1) };
}

test('Ctrl-C in a migration says which ones were run', async (t) => {
  const db = await createDatabase(t, 'template0');
  const settings = { DATABASE_URL: await databaseUrl(db) };
  await run(
    db,
    `create table schema_migrations (version integer primary key, name text not null, sha256 text not null,
      applied_at timestamptz(3) not null)`,
  );
  const sleepInMigration = async (version: number): Promise<void> => {
    await run(
      db,
      `create or replace function sleep_in_migration() returns trigger language plpgsql as
        $$ begin if new.version = ${version} then perform pg_sleep(600); end if; return new; end $$`,
    );
    await run(
      db,
      `create or replace trigger sleep_in_migration before insert on schema_migrations
        for each row execute function sleep_in_migration()`,
    );
  };
  const waitForSleep = () =>
    until(async () => {
      const { rows } = await run(
        db,
        `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      );
      return rows.length === 1;
    });
  const endSleep = () =>
    run(
      db,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`,
    );
  await sleepInMigration(1);
  assert.deepEqual(await stop(t, ['migrate'], waitForSleep, { settings }), {
    code: 130,
    line: 'Stopped; no migration was run. Run offplan migrate again.',
  });
  await endSleep();
  await sleepInMigration(3);
  const { code, line } = await stop(t, ['migrate'], waitForSleep, { settings });
  await endSleep();
  const { rows } = await run(db, 'select name from schema_migrations order by version');
  assert.equal(rows.length, 2);
  assert.equal(code, 130);
  assert.equal(
    line,
    `Stopped; the migrations up to ${String(rows[1]?.['name'])} were run. Run offplan migrate again for the others.`,
  );
});

test(
  'SIGTERM ends a command and the service while they bring the embedded PostgreSQL up to date',
  {
    skip:
      isCitus() &&
      'the locks of a Citus are read in another way than those of the embedded PostgreSQL',
  },
  async (t) => {
    const folder = dataFolder(t);
    const settings = { OFFPLAN_DATA_DIR: folder, DATABASE_URL: undefined };
    const { connection, release } = await startEmbedded({
      dataDir: folder,
      isDefaultDataDir: false,
    });
    const db = openPool(connection, () => undefined);
    t.after(() => db.end().then(release));
    await whileLocked(db, 'schema_migrations', async () => {
      const waits = () => someoneWaits(db);
      const stopped = await stop(t, ['migrate'], waits, { settings, signal: 'SIGTERM' });
      assert.deepEqual(stopped, {
        code: 143,
        line: 'Stopped; no migration was run. Run offplan migrate again.',
      });
      await endWaiting(db);
      const service = ['serve', '--port', '0'];
      const ended = await stop(t, service, waits, { settings, signal: 'SIGTERM' });
      assert.deepEqual(ended, { code: 0, line: '' });
    });
  },
);

test('Ctrl-C in a deletion of an account says what is deleted', async (t) => {
  const { slug } = await developersOf(service)();
  const accountId = (await findAccountBySlug(service.db, slug)) ?? '';
  const args = ['accounts', 'delete', slug];
  const hasKeys = async (): Promise<boolean> => {
    const keys = await offplan(['keys', 'list', slug, '--json'], environment);
    return (JSON.parse(keys.stdout) as { revokedAt: string | null }[]).some(
      ({ revokedAt }) => revokedAt === null,
    );
  };
  const asked = (printed: () => string) => until(() => printed().includes('To go on'));
  assert.deepEqual(await stop(t, args, asked), {
    code: 130,
    line: 'Stopped; nothing was deleted.',
  });
  assert.ok(await hasKeys());
  await runInTransaction(service.db, async (tx) => {
    await lockAccount(tx, accountId);
    const waits = () => someoneWaits(service.db);
    assert.deepEqual(await stop(t, args, waits, { input: `${slug}\n` }), {
      code: 130,
      line: `Stopped; account "${slug}" is still there, but its API keys are revoked. Delete it again.`,
    });
  });
  assert.notEqual(await findAccountBySlug(service.db, slug), undefined);
  assert.ok(!(await hasKeys()));
  assert.equal((await offplan(args, environment, `${slug}\n`)).code, 0);
});

test('Ctrl-C in a restore leaves nothing, also no picture', async (t) => {
  const { slug } = await developersOf(service)();
  const key = await service.key(slug, 'all');
  const payload = await drawPicture().jpeg().toBuffer();
  const headers = { 'content-type': 'image/jpeg' };
  const url = '/api/v1/media';
  assert.equal((await service.send({ method: 'POST', url, key, headers, payload })).status, 201);
  const folder = dataFolder(t);
  const file = join(folder, 'one.backup');
  const backup = ['backup', '--account', slug, file];
  const made = await offplan(backup, { ...environment, OFFPLAN_MEDIA_DIR: service.mediaDir });
  assert.equal(made.code, 0, made.stderr);
  const db = await createDatabase(t);
  const mediaDir = join(folder, 'media');
  const settings = { DATABASE_URL: await databaseUrl(db), OFFPLAN_MEDIA_DIR: mediaDir };
  const listPictures = () =>
    existsSync(mediaDir)
      ? readdirSync(mediaDir, { recursive: true }).filter((name) => String(name).endsWith('.jpg'))
      : [];
  // Without its last bytes, the restore waits for them.
  const input = readFileSync(file).subarray(0, -8);
  const placed = () => until(() => listPictures().length > 0);
  assert.deepEqual(await stop(t, ['restore', '-'], placed, { input, settings }), {
    code: 130,
    line: 'Stopped; nothing was restored.',
  });
  assert.deepEqual(listPictures(), []);
  assert.equal(await findAccountBySlug(db, slug), undefined);
  assert.equal((await offplan(['restore', file], { ...environment, ...settings })).code, 0);
});

test('SIGTERM ends a backup and a restore with exit code 143, and both say what is stored', async (t) => {
  const { slug } = await developersOf(service)();
  const folder = dataFolder(t);
  const backup = join(folder, 'all.backup');
  const made = await offplan(['backup', backup, '--account', slug], environment);
  assert.equal(made.code, 0, made.stderr);
  const db = await createDatabase(t);
  const signal = 'SIGTERM';
  const settings = { DATABASE_URL: await databaseUrl(db) };
  await whileLocked(db, 'contacts', async () => {
    const waits = () => someoneWaits(db);
    assert.deepEqual(await stop(t, ['restore', backup], waits, { settings, signal }), {
      code: 143,
      line: 'Stopped; nothing was restored.',
    });
  });
  await whileLocked(service.db, 'contacts', async () => {
    const file = join(folder, 'stopped.backup');
    const waits = () => someoneWaits(service.db);
    assert.deepEqual(await stop(t, ['backup', file], waits, { signal }), {
      code: 143,
      line: 'Stopped; no backup was written.',
    });
  });
  const left = readdirSync(folder).filter((name) => name.startsWith('stopped'));
  assert.deepEqual(left, []);
});

test('Ctrl-C in a retry and in the undo of a file says how to go on', async (t) => {
  const { slug } = await developersOf(service)();
  const file = join(dataFolder(t), 'leads.csv');
  writeFileSync(file, 'email\naroha@example.com\n');
  const imported = await offplan(['import', slug, file], environment);
  const runId = /imports undo \S+ (\S+)/.exec(imported.stdout)?.[1] ?? assert.fail(imported.stderr);
  const waits = () => someoneWaits(service.db);
  await whileLocked(service.db, 'imports', async () => {
    assert.deepEqual(await stop(t, ['imports', 'retry', slug, '--open'], waits), {
      code: 130,
      line: `Stopped; imports that are not printed may be retried, too. offplan imports list ${slug} --open shows those that are still open.`,
    });
  });
  await whileLocked(service.db, 'contacts', async () => {
    assert.deepEqual(await stop(t, ['imports', 'undo', slug, runId], waits), {
      code: 130,
      line: 'Stopped; some of the contacts may be removed. Undo the run again for the others.',
    });
  });
  assert.equal((await offplan(['imports', 'undo', slug, runId], environment)).code, 0);
});
