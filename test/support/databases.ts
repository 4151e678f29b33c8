import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { distribute, migrate, openPool } from '../../src/platform/database/index.ts';

/*
 * The PostgreSQL of the tests: the embedded one, or the one that TEST_DATABASE_URL names. A Citus there has several nodes,
 * and a database on it is a database of the same name on each node. A copy of all of them is a working Citus again, since
 * nodes know each other by host and port.
 */

/** Few shards make a database small; with more than workers, each worker has several. */
const SHARDS = 4;

const NODES = 'TEST_DATABASE_NODES';
const TEMPLATE = 'TEST_DATABASE_TEMPLATE';

/**
 * Tells all test files, by the environment, which nodes the PostgreSQL of the tests has (the URL of a database on each, the
 * coordinator first), and which migrated database they clone.
 */
export function setNodes(urls: string[], template: string): void {
  process.env[NODES] = urls.join(' ');
  process.env[TEMPLATE] = template;
}

/** The migrated database that the databases of tests are cloned from. */
function templateName(): string {
  return process.env[TEMPLATE] ?? '';
}

function nodes(): string[] {
  const urls = process.env[NODES];
  if (urls === undefined) throw new Error('run the tests with `npm test`, which starts PostgreSQL');
  return urls.split(' ');
}

/** Whether the tests run on a Citus. */
export function isCitus(): boolean {
  return nodes().length > 1;
}

/** Returns the DATABASE_URL of a database, on the coordinator when there are several nodes. */
export function urlOf(name: string, node = nodes()[0] ?? ''): string {
  const url = new URL(node);
  url.pathname = `/${name}`;
  return url.toString();
}

/** One connection to each node for all databases of a test file. It does not keep Node alive. */
const admins = new Map<string, pg.Pool>();

async function administer(sql: string): Promise<void> {
  await Promise.all(
    nodes().map((connectionString) => {
      const options = { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true };
      const admin = admins.get(connectionString) ?? new pg.Pool({ connectionString, ...options });
      admins.set(connectionString, admin);
      return admin.query(sql);
    }),
  );
}

/** Creates a copy of a database. Returns its name. */
export async function cloneDatabase(template = templateName()): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  return name;
}

/**
 * Sets a setting for the role of the tests in a database, on all nodes. A setting of the client's connection would not reach the
 * workers.
 */
export async function setInDatabase(url: string, setting: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const node of nodes())
    await ask(
      urlOf(name, node),
      `set citus.enable_alter_role_propagation = off;
       alter role current_user in database ${name} set ${setting}`,
    );
}

/** Drops a database, also while something is connected to it. */
export async function dropDatabase(name: string): Promise<void> {
  // `with (force)` ends the maintenance daemon of Citus, but on a busy machine PostgreSQL gives up before the daemon has ended.
  // Without this setting, another daemon would be connected by the next attempt.
  if (isCitus()) await administer(`alter database ${name} allow_connections false`);
  for (let attempt = 1; ; attempt += 1)
    try {
      return await administer(`drop database if exists ${name} with (force)`);
    } catch (error) {
      if (!isCitus() || attempt === DROP_ATTEMPTS) throw error;
    }
}

const DROP_ATTEMPTS = 4;

/**
 * Makes the template on the PostgreSQL that a URL names, and on all its workers when it is the coordinator of a Citus. Another
 * run of the tests has a template of its own. Returns a function that removes it.
 */
export async function prepareTemplate(databaseUrl: string): Promise<() => Promise<void>> {
  const template = `offplan_template_${randomBytes(4).toString('hex')}`;
  setNodes([databaseUrl, ...(await listWorkers(databaseUrl))], template);
  await administer(`create database ${template} encoding 'UTF8' template template0`);
  if (isCitus()) await joinNodes(template);
  const pool = openPool(urlOf(template), () => undefined);
  await migrate(pool);
  if (isCitus()) await distribute(pool);
  await pool.end();
  // The maintenance daemon of Citus holds a connection, and a database with connections cannot be cloned.
  await administer(`alter database ${template} allow_connections false`);
  await administer(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${template}'`,
  );
  return () => dropDatabase(template);
}

/** Lists the URLs of the workers when a database is on the coordinator of a Citus. */
export async function listWorkers(databaseUrl: string): Promise<string[]> {
  const citus = await ask(databaseUrl, `select from pg_extension where extname = 'citus'`);
  if (citus.length === 0) return [];
  const workers = await ask(
    databaseUrl,
    'select node_name, node_port from citus_get_active_worker_nodes()',
  );
  return workers.map((worker) => {
    const url = new URL(databaseUrl);
    url.hostname = String(worker['node_name']);
    url.port = String(worker['node_port']);
    return url.toString();
  });
}

/** Makes a Citus of the databases of this name, with all workers. */
async function joinNodes(name: string): Promise<void> {
  await prepareNodes(name);
  await addWorkers(name);
}

async function prepareNodes(name: string): Promise<void> {
  for (const node of nodes()) await ask(urlOf(name, node), 'create extension citus');
  const { hostname, port } = new URL(urlOf(name));
  await ask(urlOf(name), 'select citus_set_coordinator_host($1, $2)', [hostname, port]);
  await ask(urlOf(name), `alter database ${name} set citus.shard_count = ${SHARDS}`);
}

async function addWorkers(name: string): Promise<void> {
  for (const { hostname, port } of nodes()
    .slice(1)
    .map((url) => new URL(url)))
    await ask(urlOf(name), 'select citus_add_node($1, $2)', [hostname, port]);
}

/** Makes a Citus without tables and without workers. It is dropped after the test. */
export async function createEmptyCitus(t: { after: (clean: () => Promise<void>) => void }) {
  const name = await cloneDatabase('template0');
  t.after(() => dropDatabase(name));
  await prepareNodes(name);
  return { name, addWorkers: () => addWorkers(name) };
}

async function ask(connectionString: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}
