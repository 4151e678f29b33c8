import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { issueKey } from '../../src/keys/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { makeRows } from '../support/contact-files.ts';
import { developerFile } from '../support/developer.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { createCommand, serving, type Serving } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const SLUG = 'files';
/** So many that a run lasts longer than a process takes to stop. */
const ROWS = 8_000;
const db = await createDatabase({ after });
await loadAccount(db, developerFile(SLUG));
const accountId = await accountIdOf(db, { slug: SLUG });
const key = await issueKey(db, accountId, { name: 'files', scopes: ['contacts:manage'] });
const environment = {
  DATABASE_URL: await databaseUrl(db),
  LOG_LEVEL: 'error',
  OFFPLAN_JOB_LEASE: '1',
};

async function serve(): Promise<Serving> {
  const server = await serving(environment);
  after(async () => void (await server.stop('SIGKILL')));
  return server;
}

async function call({ url }: Serving, path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}/api/v1/contact-files${path}`, {
    ...init,
    headers: [...new Headers(init.headers), ['authorization', `Bearer ${key}`]],
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()) as File;
}

interface File {
  id: string;
  status: string;
  undo: { removed: number; kept: number } | null;
  run: { rowsRead: number; created: number; merged: number; refused: number };
}

async function waitFor(server: Serving, id: string, isThere: (file: File) => boolean) {
  let file = await call(server, `/${id}`);
  await until(async () => {
    file = await call(server, `/${id}`);
    return isThere(file);
  });
  return file;
}

/** Uploads a file to a process, starts its run, and waits until some of its rows are done. */
async function start(server: Serving, name: string): Promise<string> {
  const headers = { 'content-type': 'text/csv' };
  const body = makeRows(ROWS, name);
  const { id } = await call(server, '', { method: 'POST', headers, body });
  await waitFor(server, id, ({ status }) => status === 'ready');
  const json = { 'content-type': 'application/json' };
  await call(server, `/${id}/start`, { method: 'POST', headers: json, body: '{}' });
  await waitFor(server, id, ({ run: { rowsRead } }) => rowsRead > 0);
  return id;
}

/** Asserts that a run has imported each row of its file once. */
async function assertComplete(server: Serving, id: string): Promise<void> {
  const done = await waitFor(server, id, ({ status }) => status === 'completed');
  const { rowsRead, created, merged, refused } = done.run;
  assert.deepEqual([rowsRead, created, merged, refused], [ROWS, ROWS, 0, 0]);
  const { rows } = await run(
    db,
    `select count(*)::int as all, count(distinct position)::int as lines from imports
      where account_id = $1 and run_id = $2`,
    [accountId, id],
  );
  assert.deepEqual(rows, [{ all: ROWS, lines: ROWS }]);
}

test('another process continues the run of a killed one, and each row is imported exactly once', async () => {
  const first = await serve();
  const second = await serve();
  const id = await start(first, 'killed');
  await first.stop('SIGKILL');
  const { run: killed } = await call(second, `/${id}`);
  assert.ok(killed.rowsRead < ROWS, 'the run was over before the kill');
  await waitFor(second, id, ({ run: { rowsRead } }) => rowsRead > killed.rowsRead);
  const third = await serve();
  await second.stop('SIGKILL');
  await assertComplete(third, id);
  await third.stop();
});

test('another process continues the run of a killed one whose clock was days ahead', async () => {
  const first = await serve();
  const second = await serve();
  const id = await start(first, 'ahead');
  await first.stop('SIGKILL');
  const text = `update contact_files set lease_until = now() + interval '3 days' where account_id = $1 and id = $2`;
  await run(db, text, [accountId, id]);
  await assertComplete(second, id);
  await second.stop();
});

test('a process that stops leaves its run to another one, and a process that lost its lease stores nothing more', async () => {
  const first = await serve();
  const second = await serve();
  const id = await start(first, 'stopped');
  // After SIGTERM it would live for seconds, in which the other process could end the run.
  await first.stop('SIGINT');
  const { run: stopped } = await call(second, `/${id}`);
  assert.ok(stopped.rowsRead < ROWS, 'the run was over before the stop');
  await waitFor(second, id, ({ run: { rowsRead } }) => rowsRead > stopped.rowsRead);
  // As when the process was frozen until another one took its run over.
  const text = `update contact_files set lease_until = 'epoch', lease = $3 where account_id = $1 and id = $2`;
  await run(db, text, [accountId, id, randomUUID()]);
  await assertComplete(second, id);
  await second.stop();
});

test('another process continues the undo of one that stops or loses its lease, each contact is removed once, and one event tells it', async () => {
  const [first, second, third] = [await serve(), await serve(), await serve()];
  const id = await start(first, 'undone');
  await assertComplete(first, id);
  const { rows: contacts } = await run(
    db,
    `select result ->> 'contactId' as id from imports where account_id = $1 and run_id = $2 order by 1 desc limit 1`,
    [accountId, id],
  );
  // The last contact that the undo looks at stays.
  const text = `update contacts set notes = 'Call', version = version + 1 where account_id = $1 and id = $2`;
  await run(db, text, [accountId, (contacts[0] as { id: string }).id]);
  const json = { 'content-type': 'application/json' };
  await call(first, `/${id}/undo`, { method: 'POST', headers: json, body: '{}' });
  const untilMoreAreRemoved = async () => {
    const count = async () => {
      const { rows } = await run(
        db,
        `select count(undone_at)::int as count from imports where account_id = $1 and run_id = $2`,
        [accountId, id],
      );
      return (rows[0] as { count: number }).count;
    };
    const before = await count();
    await until(async () => (await count()) > before);
  };
  await untilMoreAreRemoved();
  await first.stop();
  const { status } = await call(second, `/${id}`);
  assert.equal(status, 'undoing', 'the process stops before its undo has ended');
  await untilMoreAreRemoved();
  // As when the process was frozen until another one took its undo over.
  await run(
    db,
    `update contact_files set lease_until = 'epoch', lease = $3 where account_id = $1 and id = $2`,
    [accountId, id, randomUUID()],
  );
  const { undo } = await waitFor(third, id, (file) => file.status === 'undone');
  assert.deepEqual(undo, { removed: ROWS - 1, kept: 1 });
  const { rows } = await run(
    db,
    `select data->'removed' as removed, data->'kept' as kept,
        (select count(*)::int from events deleted where deleted.account_id = $1 and type = 'contact.erased'
          and sequence between (event.data->>'firstSequence')::int and (event.data->>'lastSequence')::int) as deleted
      from events event where account_id = $1 and subject = $2 and type = 'contact_file.undone'`,
    [accountId, id],
  );
  assert.deepEqual(rows, [{ removed: ROWS - 1, kept: 1, deleted: ROWS - 1 }]);
});

test('offplan imports undo waits for the end of a run that came over HTTP, and shows its file as undone', async () => {
  const [server, offplan] = [await serve(), createCommand(environment)];
  const id = await start(server, 'by-command');
  const early = await offplan('imports', 'undo', SLUG, id);
  assert.deepEqual(
    [early.code, early.stderr],
    [1, 'offplan: the file is running; only a run that has ended can be undone\n'],
  );
  await assertComplete(server, id);
  const dry = await offplan('imports', 'undo', SLUG, id, '--dry-run');
  assert.equal(dry.code, 0, dry.stderr);
  assert.equal((await call(server, `/${id}`)).status, 'completed');
  const done = await offplan('imports', 'undo', SLUG, id);
  assert.equal(done.code, 0, done.stderr);
  const { status, undo } = await call(server, `/${id}`);
  assert.deepEqual([status, undo], ['undone', { removed: ROWS, kept: 0 }]);
  const again = await offplan('imports', 'undo', SLUG, id);
  assert.match(again.stdout, /^Removed 0 contacts that the run created; 0 remain\.\n/);
  await server.stop();
});
