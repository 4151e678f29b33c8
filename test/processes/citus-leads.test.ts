import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import { openPool } from '../../src/platform/database/index.ts';
import { isCitus, listWorkers } from '../support/databases.ts';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl, SETTINGS } from '../support/harness.ts';
import { sendTo } from '../support/imports.ts';
import { buildApp } from '../support/internals.ts';
import { freePort } from '../support/ports.ts';
import { serving } from '../support/process.ts';
import { run } from '../support/sql.ts';

const service = await build({ after });
const developer = await developersOf(service)();
const DATABASE_URL = await databaseUrl(service.db);

test('a lead is taken over the coordinator when the worker of its account cannot be reached', async () => {
  const unreachable = openPool(
    `postgres://127.0.0.1:${await freePort()}/offplan`,
    () => undefined,
    { fallback: service.db },
  );
  after(() => unreachable.end());
  const app = await buildApp({
    config: SETTINGS,
    db: service.db,
    findPool: async () => unreachable,
    logger: pino({ level: 'silent' }),
  });
  after(() => app.close());
  const { status } = await sendTo(app, developer, { email: 'ana@example.org' });
  assert.equal(status, 201);
});

test('a lead is refused with 503 when the worker of its account accepts connections and hangs, for the coordinator would wait for it', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  after(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const hanging = openPool(`postgres://127.0.0.1:${port}/offplan`, () => undefined, {
    silenceMs: 120,
    fallback: service.db,
  });
  after(() => hanging.end());
  const app = await buildApp({
    config: SETTINGS,
    db: service.db,
    findPool: async () => hanging,
    logger: pino({ level: 'silent' }),
  });
  after(() => app.close());
  const lead = { email: 'rua@example.org' };
  for (const attempt of ['the first', 'a later one']) {
    const answer = await sendTo(app, developer, lead);
    assert.equal(answer.status, 503, attempt);
    assert.ok(answer.headers['retry-after']);
  }
});

describe('a lead on a Citus', { skip: !isCitus() && 'needs a Citus' }, () => {
  test('goes to the worker that has the rows of its account', async () => {
    const server = await serving({ DATABASE_URL, LOG_LEVEL: 'error' });
    after(() => server.stop());
    const answer = await fetch(`${server.url}/api/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${developer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'mele@example.org' }),
    });
    assert.equal(answer.status, 201);
    const statements: string[] = [];
    for (const url of await listWorkers(DATABASE_URL)) {
      const worker = openPool(url, () => undefined);
      after(() => worker.end());
      const { rows } = await run(
        worker,
        `select query from pg_stat_activity
          where datname = current_database() and application_name = 'offplan' and pid <> pg_backend_pid()`,
      );
      statements.push(...rows.map(({ query }) => String(query)));
    }
    assert.deepEqual(statements, ['commit']);
  });
});
