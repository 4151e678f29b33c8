import sql from 'sql-template-tag';
import { SchemaError } from './errors.ts';
import type { Pool } from './pool.ts';
import { query, queryOnce, runSql, type Queryable } from './query.ts';
import { runInTransaction } from './transaction.ts';

/** The table that all others are colocated with, so that one worker has all rows of an account. */
const FIRST_TABLE = 'accounts';
/** The one table without `account_id` that requests read. Every worker has a copy. */
const REFERENCE_TABLE = 'account_slugs';

/**
 * Makes Citus change shards one after the other. Citus requires that in a transaction that changes several tables with foreign
 * keys between them. Plain PostgreSQL ignores the setting.
 */
export const SEQUENTIAL = "set local citus.multi_shard_modify_mode = 'sequential'";

/**
 * Distributes the tables of tenants over the workers of Citus by `account_id`, and copies the reference table to each worker.
 * Returns the names of the tables that it distributed, without those that were distributed before. Throws a SchemaError when
 * the extension or the workers are missing.
 */
export async function distribute(pool: Pool): Promise<string[]> {
  await requireWorkers(pool);
  return runInTransaction(pool, async (tx) => {
    await runSql(tx, SEQUENTIAL);
    // Moving the rows of a large table takes longer than other statements may.
    await runSql(tx, 'set local statement_timeout = 0');
    await runSql(tx, 'set local lock_timeout = 0');
    return distributeTables(tx);
  });
}

/** Distributes the tables that a migration has created, if the others are distributed. */
export async function distributeNewTables(tx: Queryable): Promise<void> {
  if (await isDistributed(tx)) await distributeTables(tx);
}

async function requireWorkers(db: Queryable): Promise<void> {
  if (!(await hasCitus(db)))
    throw new SchemaError(
      'The database has no extension citus. Run `create extension citus` in this database on the coordinator and on each worker first.',
    );
  const [node] = await query<{ isCoordinator: boolean; workers: number }>(
    db,
    'citus_workers',
    sql`select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      (select count(*)::integer from citus_get_active_worker_nodes()) as workers`,
  );
  if (!node?.isCoordinator)
    throw new SchemaError(
      'DATABASE_URL names a worker of Citus. Run `offplan distribute` with the address of the coordinator.',
    );
  if (node.workers === 0)
    throw new SchemaError(
      "Citus has no worker. Add each on the coordinator with `select citus_add_node('HOST', PORT)` first.",
    );
}

async function hasCitus(db: Queryable): Promise<boolean> {
  const rows = await query(
    db,
    'citus_find',
    sql`select extversion from pg_extension where extname = 'citus'`,
  );
  return rows.length > 0;
}

/** Whether the database is on a Citus, and its tables are distributed. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const rows = await query(
    db,
    'citus_is_distributed',
    sql`select 1 from pg_dist_partition where logicalrelid = ${FIRST_TABLE}::regclass`,
  );
  return rows.length > 0;
}

/** Measures how many bytes of the disk a table has with its indexes, on a Citus over all workers. */
export async function measureTable(db: Queryable, table: string): Promise<number> {
  const text = (await isDistributed(db))
    ? sql`select citus_total_relation_size(${table}::regclass)::float8 as bytes`
    : sql`select pg_total_relation_size(${table}::regclass)::float8 as bytes`;
  const [row] = await queryOnce<{ bytes: number }>(db, 'table_measure', text);
  return row?.bytes ?? 0;
}

async function distributeTables(tx: Queryable): Promise<string[]> {
  const tables = await listLocalTables(tx);
  for (const table of tables)
    if (table === REFERENCE_TABLE) await runSql(tx, 'select create_reference_table($1)', [table]);
    else
      await runSql(tx, `select create_distributed_table($1, 'account_id', colocate_with => $2)`, [
        table,
        table === FIRST_TABLE ? 'none' : FIRST_TABLE,
      ]);
  return tables;
}

/** Lists the tables with an account that are not distributed, each after those that its foreign keys refer to. */
async function listLocalTables(tx: Queryable): Promise<string[]> {
  const rows = await query<{ name: string; refersTo: string[] }>(
    tx,
    'citus_local_tables',
    sql`select relname::text as name, array(
        select distinct confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
      ) as "refersTo"
      from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'account_id'
      where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
        and not exists (select from pg_dist_partition where logicalrelid = pg_class.oid)
      order by relname`,
  );
  const waiting = new Map(rows.map(({ name, refersTo }) => [name, refersTo]));
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].find(([, refersTo]) => !refersTo.some((name) => waiting.has(name)));
    if (next === undefined) throw new Error('the foreign keys of tables form a cycle');
    ordered.push(next[0]);
    waiting.delete(next[0]);
  }
  return ordered;
}
