import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { runInTransaction } from '../../src/platform/database/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { someoneWaits } from '../support/locks.ts';
import { offplan, serving, type Serving } from '../support/process.ts';
import { send } from '../support/requests.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const EMPTY = 'template1';
const demo = JSON.parse(
  readFileSync(new URL('../../demo/account.json', import.meta.url), 'utf8'),
) as object;

test('two servers that start at the same time on one database make one schema, one demo account and one pair of keys', async () => {
  const db = await createDatabase({ after }, EMPTY);
  const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
  const migrated = await Promise.all([1, 2].map(() => offplan(['migrate'], environment)));
  assert.deepEqual(
    migrated.map(({ code, stderr }) => [code, stderr]),
    [
      [0, ''],
      [0, ''],
    ],
  );
  const ran = migrated.flatMap(({ stdout }) => stdout.match(/^Ran .*$/gm) ?? []);
  const { rows } = await run(db, 'select name from schema_migrations order by version');
  assert.deepEqual(
    ran.toSorted(),
    rows.map(({ name }) => `Ran ${name}.`),
  );

  const servers = await Promise.all([1, 2].map(() => serving(environment, '--demo')));
  try {
    await until(() => servers.every((each) => each.printed().includes('/contacts')));
    const keys = servers.flatMap((each) => each.printed().match(/\boffplan_\w{49}$/gm) ?? []);
    assert.equal(keys.length, 2);
    for (const { url } of servers)
      for (const key of keys) assert.equal((await send(url, key, '/api/v1/stocklist')).status, 200);
  } finally {
    await Promise.all(servers.map((each) => each.stop()));
  }
  const { stdout } = await offplan(['export', 'kowhai-lane'], environment);
  const { contacts } = JSON.parse(stdout) as { contacts: { id: string }[] };
  const { rows: imports } = await run(db, "select from imports where outcome = 'refused'");
  assert.deepEqual([contacts.length > 5_000, contacts.length < 5_100], [true, true]);
  assert.deepEqual([imports.length >= 40, imports.length < 50], [true, true]);
});

test('two servers that find the demo account without keys at the same time make one pair of keys', async () => {
  const db = await createDatabase({ after });
  const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
  await loadAccount(db, demo);
  const servers: Serving[] = [];
  try {
    await runInTransaction(db, async (tx) => {
      // Both servers see that there is no key, and wait to make one.
      await run(tx, 'lock table api_keys in exclusive mode');
      servers.push(...(await Promise.all([1, 2].map(() => serving(environment, '--demo')))));
      await someoneWaits(db, 2);
    });
    await until(() => servers.every((each) => each.printed().includes('/contacts')));
    const keys = servers.flatMap((each) => each.printed().match(/\boffplan_\w{49}$/gm) ?? []);
    assert.equal(keys.length, 2);
  } finally {
    await Promise.all(servers.map((each) => each.stop()));
  }
});
