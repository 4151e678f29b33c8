import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { developersOf } from '../support/developer.ts';
import { build, createDatabase } from '../support/harness.ts';
import {
  poolRole,
  TRANSACTION_MODE,
  withoutPooler,
  withoutTransactionMode,
} from '../support/pooler.ts';
import { offplan, serving } from '../support/process.ts';
import { all, oneOfEachKind, lead, send } from '../support/requests.ts';
import { run } from '../support/sql.ts';

/** Starts the service, and a pooler in front of its database. */
async function poolService(t: TestContext, settings: Record<string, string>) {
  const service = await build(t);
  const { key } = await developersOf(service)();
  return { key, db: service.db, ...(await poolRole(t, service.db, settings)) };
}

/** Starts the service, and a pooler in transaction mode in front of its database, for a role that has the settings it needs. */
async function poolTransactions(t: TestContext, resources: AsyncDisposableStack) {
  const pooled = await poolService(t, TRANSACTION_MODE);
  resources.defer(pooled.dropRole);
  await pooled.applyRoleSettings();
  return pooled;
}

test(
  'serve refuses a pooler that drops its limits, and starts once the role has the settings that role-settings prints',
  { skip: withoutPooler },
  async (t) => {
    await using resources = new AsyncDisposableStack();
    const pooled = await poolService(t, { pool_mode: 'session' });
    resources.defer(pooled.dropRole);
    const refused = await offplan(['serve', '--port', '0'], pooled.environment);
    assert.deepEqual(
      [refused.code, refused.stdout, refused.stderr],
      [
        1,
        '',
        'offplan: The pooler that DATABASE_URL names drops idle_in_transaction_session_timeout, lock_timeout, statement_timeout, so that a request could wait forever. Run the SQL that `offplan role-settings` prints, and reconnect the pooler.\n',
      ],
    );

    await pooled.applyRoleSettings();
    const server = await serving(pooled.environment);
    resources.defer(async () => void (await server.stop('SIGKILL')));
    assert.equal((await send(server.url, pooled.key, '/readyz')).status, 200);
    assert.equal((await send(server.url, pooled.key, '/api/v1/contacts', lead())).status, 201);
  },
);

test(
  'two nodes share three connections of a pooler in transaction mode',
  { skip: withoutTransactionMode },
  async (t) => {
    await using resources = new AsyncDisposableStack();
    const pooled = await poolTransactions(t, resources);
    const nodes = [await serving(pooled.environment), await serving(pooled.environment)];
    for (const node of nodes) resources.defer(async () => void (await node.stop('SIGKILL')));
    const rounds = Array.from({ length: 16 }, async (_, at) => {
      const sends = oneOfEachKind(nodes[at % 2]?.url ?? '', pooled.key);
      for (let round = 0; round < 10; round += 1)
        for (const answer of await all(sends))
          assert.ok(answer.status < 500, JSON.stringify(answer));
    });
    await Promise.all(rounds);
  },
);

test(
  'behind a pooler in transaction mode, an import that fails because of a fault of the service is in the log as refused',
  { skip: withoutTransactionMode },
  async (t) => {
    await using resources = new AsyncDisposableStack();
    const pooled = await poolTransactions(t, resources);
    const node = await serving(pooled.environment);
    resources.defer(async () => void (await node.stop('SIGKILL')));
    // PostgreSQL skips the statements behind the one that fails, which a new connection has not prepared yet.
    await run(pooled.db, `alter table contacts add check (company_name <> 'poison')`);
    const refused = await send(node.url, pooled.key, '/api/v1/contacts', {
      email: 'aroha@example.com',
      companyName: 'poison',
    });
    assert.equal(refused.status, 500);
    const { rows } = await run(pooled.db, `select result ->> 'code' as code from imports`);
    assert.deepEqual(rows, [{ code: 'internal_error' }]);
    assert.equal((await send(node.url, pooled.key, '/api/v1/contacts', lead())).status, 201);
  },
);

test(
  'behind a pooler that shares connections without prepared statements, a command names the setting to change',
  { skip: withoutPooler },
  async (t) => {
    const db = await createDatabase(t);
    // PgBouncer before 1.21 has no prepared statements in transaction mode; later ones can turn them off.
    const off = withoutTransactionMode === false ? { max_prepared_statements: '0' } : {};
    const pooler = await poolRole(t, db, {
      pool_mode: 'transaction',
      default_pool_size: '1',
      ...off,
    });
    try {
      await offplan(['accounts', 'list'], pooler.environment);
      const { code, stderr } = await offplan(['accounts', 'list'], pooler.environment);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^offplan: the pooler that DATABASE_URL names mixes up prepared statements [^\n]*PgBouncer 1\.21[^\n]*max_prepared_statements[^\n]*\n$/,
      );
    } finally {
      await pooler.dropRole();
    }
  },
);

test('role-settings asks for a role when DATABASE_URL names none', async () => {
  const { code, stderr } = await offplan(['role-settings'], {
    DATABASE_URL: 'postgresql://127.0.0.1/offplan',
  });
  assert.deepEqual(
    [code, stderr],
    [1, 'offplan: DATABASE_URL must name a role: postgresql://offplan@pooler:6432/offplan\n'],
  );
});
