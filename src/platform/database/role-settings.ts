import sql from 'sql-template-tag';
import { SchemaError } from './errors.ts';
import { query, type Queryable } from './query.ts';
import { REQUEST_TIMEOUTS } from './timeouts.ts';

const { statementTimeoutMs, lockTimeoutMs, idleTransactionTimeoutMs = 0 } = REQUEST_TIMEOUTS;

/** The time-outs of requests by their names in PostgreSQL. */
const TIMEOUTS_MS: Record<string, number> = {
  statement_timeout: statementTimeoutMs,
  lock_timeout: lockTimeoutMs,
  idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
};

/** The settings that the database role needs behind a pooler, since a pooler drops the settings of a connection. */
export const ROLE_SETTINGS: Record<string, string> = {
  ...Object.fromEntries(Object.entries(TIMEOUTS_MS).map(([name, ms]) => [name, `'${ms}ms'`])),
  // The settings of pool.ts and pools.ts that suit both look-ups and lists: a role has one value for all pools.
  datestyle: 'ISO',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  work_mem: `'32MB'`,
  random_page_cost: '1.1',
};

/** Throws a SchemaError when PostgreSQL does not apply the time-outs of requests because a pooler has dropped them. */
export async function requireTimeouts(db: Queryable): Promise<void> {
  const rows = await query<{ name: string; ms: number }>(
    db,
    'limits',
    sql`select name, setting::int as ms from pg_settings where name = any(${Object.keys(TIMEOUTS_MS)})`,
  );
  const dropped = rows
    .filter(({ name, ms }) => ms === 0 || ms > (TIMEOUTS_MS[name] ?? 0))
    .map(({ name }) => name);
  if (dropped.length > 0)
    throw new SchemaError(
      `The pooler that DATABASE_URL names drops ${dropped.toSorted().join(', ')}, so that a request could wait forever. Run the SQL that \`offplan role-settings\` prints, and reconnect the pooler.`,
    );
}
