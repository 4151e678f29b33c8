import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startEmbedded } from '../../src/platform/postgres/index.ts';
import { crashing } from '../crash.ts';

const ROUNDS = 20;

for (const victim of ['node', 'postgres', 'both'] as const)
  test(`no acknowledged import is lost, doubled or half there after ${ROUNDS} times kill -9 under load of: ${victim}`, async (t) => {
    const { round, acknowledged, check } = await crashing(t);
    for (let n = 1; n <= ROUNDS; n += 1) {
      await round(victim);
      if (n % 5 === 0) await check();
    }
    t.diagnostic(`${acknowledged()} imports were acknowledged`);
    assert.ok(acknowledged() > ROUNDS * 50, `only ${acknowledged()} imports were acknowledged`);
  });

// The control: a PostgreSQL that acknowledges what it has not written yet has to be found out.
test('the loss of acknowledged imports is seen when commits are not flushed', async (t) => {
  const { folder, round, check } = await crashing(t);
  const postgres = await startEmbedded({ dataDir: folder, dataDirIsDefault: false });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  // As late as PostgreSQL lets it be.
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
