import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startEmbedded } from '../../src/platform/postgres/index.ts';
import { startCrashTest } from '../support/crash.ts';

const ROUNDS = 20;

for (const victim of ['node', 'postgres', 'both'] as const)
  test(`no acknowledged import is lost, and none is stored twice or in part, after ${ROUNDS} times kill -9 under load: ${victim}`, async (t) => {
    const { round, acknowledged, check } = await startCrashTest(t);
    for (let n = 1; n <= ROUNDS; n += 1) {
      await round(victim);
      if (n % 5 === 0) await check();
    }
    t.diagnostic(`${acknowledged()} imports were acknowledged`);
    assert.ok(acknowledged() > ROUNDS * 50, `only ${acknowledged()} imports were acknowledged`);
  });

// The control: this test must fail with a PostgreSQL that acknowledges commits before it writes them.
test('the test finds acknowledged imports that are lost because PostgreSQL does not flush commits', async (t) => {
  const { folder, round, check } = await startCrashTest(t);
  const postgres = await startEmbedded({ dataDir: folder, isDefaultDataDir: false });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  // PostgreSQL writes as late as these settings allow.
  for (const setting of [
    'synchronous_commit = off',
    `wal_writer_delay = '10s'`,
    `wal_writer_flush_after = '1GB'`,
  ])
    await client.query(`alter system set ${setting}`);
  await client.end();
  await postgres.release();
  await round('both');
  await assert.rejects(check(), ({ message }: Error) => {
    t.diagnostic(message);
    return /^[1-9]\d* acknowledged leads are lost$/.test(message);
  });
});
