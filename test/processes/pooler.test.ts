import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { developersOf } from '../developer.ts';
import { build, databaseUrl } from '../harness.ts';
import { run } from '../instances.ts';
import { IGNORED, startPooler, withoutPooler, withoutTransactionMode } from '../pooler.ts';
import { offplan, serving } from '../process.ts';
import { all, kinds, lead, send } from '../requests.ts';
import { until } from '../until.ts';

/** Starts a pooler for a role of its own: the settings of a role hold in all databases. */
async function poolRole(t: TestContext, settings: Record<string, string>) {
  const service = await build(t);
  const { db } = service;
  const { key } = await developersOf(service)();
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
  await run(db, `create role ${role} superuser login`);
  const direct = (await databaseUrl(db)).replace('user=offplan', `user=${role}`);
  const url = await startPooler(t, direct, { ignore_startup_parameters: IGNORED, ...settings });
  const environment = { DATABASE_URL: url, LOG_LEVEL: 'silent' };

  /** Runs the SQL that role-settings prints, and makes the pooler connect again. */
  async function applyRoleSettings(): Promise<void> {
    const { stdout } = await offplan(['role-settings'], environment);
    assert.match(stdout, new RegExp(`^alter role "${role}" set statement_timeout = '30000ms';\n`));
    for (const line of stdout.split('\n').filter((text) => text !== '')) await run(db, line);
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`;
    await until(async () => (await run(db, end)).rows.length === 0);
  }
  const dropRole = async () => void (await run(db, `drop role ${role}`));
  return { key, environment, applyRoleSettings, dropRole };
}

test(
  'serve refuses a pooler that drops its limits, and starts once the role has the settings that role-settings prints',
  { skip: withoutPooler },
  async (t) => {
    await using resources = new AsyncDisposableStack();
    const pooled = await poolRole(t, { pool_mode: 'session' });
    resources.defer(pooled.dropRole);
    const refused = await offplan(['serve', '--port', '0'], pooled.environment);
    assert.deepEqual(
      [refused.code, refused.stdout, refused.stderr],
      [
        1,
        '',
        'offplan: The pooler that DATABASE_URL names drops idle_in_transaction_session_timeout, lock_timeout, statement_timeout, so that a request could wait for ever. Run the SQL that `offplan role-settings` prints, and reconnect the pooler.\n',
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
    const settings = {
      pool_mode: 'transaction',
      default_pool_size: '3',
      max_prepared_statements: '200',
    };
    const pooled = await poolRole(t, settings);
    resources.defer(pooled.dropRole);
    await pooled.applyRoleSettings();
    const nodes = [await serving(pooled.environment), await serving(pooled.environment)];
    for (const node of nodes) resources.defer(async () => void (await node.stop('SIGKILL')));
    const rounds = Array.from({ length: 16 }, async (_, at) => {
      const sends = kinds(nodes[at % 2]?.url ?? '', pooled.key);
      for (let round = 0; round < 10; round += 1)
        for (const answer of await all(sends))
          assert.ok(answer.status < 500, JSON.stringify(answer));
    });
    await Promise.all(rounds);
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
