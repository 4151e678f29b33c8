import assert from 'node:assert/strict';
import pg from 'pg';
import { STATEMENTS, type Pool } from '../../src/platform/database/index.ts';

/*
 * On a Citus, these functions ask the planner how many shards each statement of the service uses. The statements of a request
 * must use one, since a request belongs to one account, and all rows of an account are on one worker. Background work may look at
 * several accounts at once, and must use no more shards than these.
 */

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** The statements that read all accounts: lists for the operator, and those by which background work finds accounts. */
const OF_ALL_ACCOUNTS = new Set([
  'account_list',
  'accounts_list_without_owner',
  'accounts_to_fill',
  'contact_files_list_due',
  'contacts_analyze',
  'contacts_find_statistics',
  'second_steps_list',
  'webhook_secrets_list',
  'webhooks_list_waiting',
]);

/** The texts that the planner has explained in this process. Asking again in each test would take longer than most tests. */
const explained = new Set<string>();

/** The name of the statement that the service is sending. Statements that a test sends itself have none. */
let tracedName: string | undefined;
STATEMENTS.start.subscribe((message) => (tracedName = (message as { name: string }).name));
STATEMENTS.end.subscribe(() => (tracedName = undefined));

/** Remembers the statements that the service sends through a pool. Returns a function that asks the planner about each. */
export function watchShards(db: Pool): (url: string) => Promise<void> {
  const sent = new Map<string, Statement>();
  const remember = (statement: unknown) => {
    const { text, values } = statement as Statement;
    if (tracedName === undefined || text === undefined || sent.has(text)) return;
    sent.set(text, { name: tracedName, text, values });
  };
  const watched = new WeakSet<pg.PoolClient>();
  const pool = { ...db };
  db.query = (statement) => {
    remember(statement);
    return pool.query(statement);
  };
  db.connect = async () => {
    const client = await pool.connect();
    if (!watched.has(client)) watchClient(client, remember);
    watched.add(client);
    return client;
  };
  return (url) => requireOneShard(url, [...sent.values()]);
}

function watchClient(client: pg.PoolClient, remember: (statement: unknown) => void): void {
  client.query = ((...args: unknown[]) => {
    remember(args[0]);
    // Another test may spy on the method of the class.
    const { query } = pg.Client.prototype as {
      query: (this: pg.Client, ...args: unknown[]) => unknown;
    };
    return query.apply(client, args);
  }) as typeof client.query;
}

async function requireOneShard(url: string, statements: Statement[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const offences: string[] = [];
    for (const statement of statements) {
      if (OF_ALL_ACCOUNTS.has(statement.name) || explained.has(statement.text)) continue;
      explained.add(statement.text);
      const plan = await explain(client, statement);
      if (!isWithin(plan, countAccounts(statement))) offences.push(`${statement.text}\n${plan}`);
    }
    assert.deepEqual(offences, []);
  } finally {
    await client.end();
  }
}

/** Returns the plan of a statement; an empty one for commands without a plan, and for tables that a test has removed. */
async function explain(client: pg.Client, statement: Statement): Promise<string> {
  const { values } = statement;
  const planned = statement.text.replace(/^\s*declare \w+ no scroll cursor for/, '');
  if (!/^\s*\(*(select|insert|update|delete|with)\b/i.test(planned)) return '';
  try {
    await client.query(`prepare explained as ${planned}`);
    const types = await client.query<{ type: string }>(
      `select unnest(parameter_types)::text as type from pg_prepared_statements where name = 'explained'`,
    );
    // Citus explains some statements only with their values in the text.
    const text = planned.replace(/\$(\d+)/g, (_all, number: string) => {
      const index = Number(number) - 1;
      return `${formatLiteral(values[index])}::${types.rows[index]?.type}`;
    });
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42P01') return '';
    throw new Error(`it cannot be explained: ${planned}`, { cause: error });
  } finally {
    await client.query('deallocate all');
  }
}

/** Writes a value in SQL as the driver sends it. */
function formatLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (!Array.isArray(value)) return pg.escapeLiteral(formatText(value));
  return pg.escapeLiteral(`{${value.map(formatElement).join(',')}}`);
}

function formatElement(value: unknown): string {
  if (value === null) return 'null';
  return `"${formatText(value).replace(/["\\]/g, String.raw`\$&`)}"`;
}

function formatText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** How many accounts a statement names. */
function countAccounts({ name, values }: Statement): number {
  if (!name.endsWith('_of_accounts')) return 1;
  return Math.max(...values.map((value) => (Array.isArray(value) ? value.length : 1)));
}

/** Whether a plan has at most so many tasks. It has none when it reads only tables of the coordinator. */
function isWithin(plan: string, max: number): boolean {
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  return (
    counts.length <= 1 &&
    counts.every((count) => count <= max) &&
    !/Distributed Subplan|repartition/.test(plan)
  );
}
