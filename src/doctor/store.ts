import sql, { type Sql } from 'sql-template-tag';
import { queryOnce, type Queryable } from '../platform/database/index.ts';
import type { Connections, DeadRows, Log, MissingRights, Settings, Transaction } from './rules.ts';
import type { Replication } from './server-rules.ts';

/** The condition of tables in Offplan's own schema. Other programs can have tables in the same database. */
const OURS = sql`relnamespace = current_schema()::regnamespace`;

/** The name of a table or an index, without the number that Citus gives to each shard of it. */
const NAME = sql`regexp_replace(relname, '_\\d+$', '')`;

async function readRow<Row extends object>(db: Queryable, name: string, text: Sql): Promise<Row> {
  const [row] = await queryOnce<Row>(db, name, text);
  if (row === undefined) throw new Error(`the statement ${name} has no row`);
  return row;
}

/** Reads the tightest limit of connections: that of the server, of the database or of the role. */
export function readConnections(db: Queryable): Promise<Omit<Connections, 'needed'>> {
  return readRow(
    db,
    'doctor_connections',
    // A role without pg_monitor sees no backend_type of others. Their clients have a database and a user.
    sql`with clients as (
        select datname, usename from pg_stat_activity
          where coalesce(backend_type, 'client backend') = 'client backend' and datid is not null and usesysid is not null
      ), limits as (
        select 'max_connections' as name, (select count(*) from clients)::int as used,
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed
        union all select format('the connection limit of the role %I', rolname),
          (select count(*) from clients where usename = rolname)::int, rolconnlimit
          from pg_roles where rolname = current_user and rolconnlimit >= 0 and not rolsuper
        union all select format('the connection limit of the database %I', datname),
          (select count(*) from clients where clients.datname = pg_database.datname)::int, datconnlimit
          from pg_database join pg_roles on rolname = current_user and not rolsuper
          where datname = current_database() and datconnlimit >= 0
      )
      select name as limit, used, allowed from limits order by allowed - used, allowed limit 1`,
  );
}

export function readSettings(db: Queryable): Promise<Settings> {
  return readRow(
    db,
    'doctor_settings',
    sql`select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('default_transaction_read_only')::boolean as "isReadOnly",
      pg_size_bytes(current_setting('shared_buffers'))::float8 as "sharedBuffersBytes",
      pg_database_size(current_database())::float8 as "databaseBytes"`,
  );
}

/** Reads the version of PostgreSQL as a number: 180004 is 18.4. */
export async function readVersion(db: Queryable): Promise<number> {
  const text = sql`select current_setting('server_version_num')::int as version`;
  return (await readRow<{ version: number }>(db, 'doctor_version', text)).version;
}

/** Lists the tables that the role may not read or write, each with the rights that it lacks. */
export function listMissingRights(db: Queryable): Promise<MissingRights[]> {
  return queryOnce<MissingRights>(
    db,
    'doctor_rights',
    sql`select relname as table, array_agg(name order by position) as rights, current_user as role, current_schema() as schema
      from pg_class, unnest(array['select', 'insert', 'update', 'delete']) with ordinality as rights (name, position)
      where relkind in ('r', 'p') and ${OURS} and not has_table_privilege(pg_class.oid, name)
      group by relname order by relname`,
  );
}

/** Lists the indexes of Offplan's tables that PostgreSQL does not use. */
export async function listInvalidIndexes(db: Queryable): Promise<string[]> {
  const rows = await queryOnce<{ name: string }>(
    db,
    'doctor_indexes',
    sql`select distinct ${NAME} as name from pg_index join pg_class on pg_class.oid = indexrelid
      where not indisvalid and ${OURS} order by name`,
  );
  return rows.map(({ name }) => name);
}

/** Estimates the rows of the logs by PostgreSQL's statistics. */
export function measureLogs(db: Queryable, tables: string[]): Promise<Log[]> {
  return queryOnce<Log>(
    db,
    'doctor_logs',
    sql`select ${NAME} as table, sum(greatest(reltuples, 0))::float8 as rows,
        sum(pg_total_relation_size(pg_class.oid))::float8 as bytes
      from pg_class where ${NAME} = any(${tables}) and relkind = 'r' and ${OURS} group by 1 order by 1`,
  );
}

/** Lists the live and dead rows of Offplan's tables as the statistics estimate them, most dead rows first. */
export function listDeadRows(db: Queryable): Promise<DeadRows[]> {
  return queryOnce<DeadRows>(
    db,
    'doctor_dead_rows',
    sql`select table_name as table, sum(n_live_tup)::float8 as live, sum(n_dead_tup)::float8 as dead,
        bool_and(current_setting('autovacuum') = 'on'
          and not coalesce('autovacuum_enabled=false' = any(reloptions), false)) as "isVacuumed"
      from (select pg_class.oid, reloptions, ${NAME} as table_name from pg_class where ${OURS}) as tables
        join pg_stat_user_tables on relid = oid
      group by table_name order by dead desc`,
  );
}

/** Counts the sessions in this database whose transactions the role may not see. */
export async function countHiddenSessions(db: Queryable): Promise<number> {
  const text = sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and usesysid is not null and backend_type is null`;
  return (await readRow<{ count: number }>(db, 'doctor_hidden_sessions', text)).count;
}

/** Lists transactions that have been open for more than a minute. */
export function listTransactions(db: Queryable, now: Date): Promise<Transaction[]> {
  return queryOnce<Transaction>(
    db,
    'doctor_transactions',
    sql`select pid, application_name as application,
        extract(epoch from ${now}::timestamptz - xact_start)::float8 * 1000 as "ageMs"
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start < ${now}::timestamptz - interval '1 minute'`,
  );
}

export function readReplication(db: Queryable): Promise<Replication> {
  return readRow(
    db,
    'doctor_replication',
    sql`select pg_is_in_recovery() as "isStandby", current_setting('synchronous_standby_names') as wanted,
      (select coalesce(json_agg(json_build_object('name', application_name, 'isHidden', sync_state is null,
          'isSynchronous', coalesce(sync_state in ('sync', 'quorum'), false),
          'lagBytes', case when pg_is_in_recovery() then 0
            else coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0) end)), '[]')
        from pg_stat_replication) as standbys,
      array(select slot_name::text from pg_replication_slots where not active order by slot_name) as "inactiveSlots",
      (select coalesce(last_failed_time > last_archived_time or (last_failed_time is not null and last_archived_time is null), false)
        from pg_stat_archiver) as "isArchiveFailing"`,
  );
}

/** Reads the clock of PostgreSQL, not the start of the transaction. */
export async function readServerTime(db: Queryable): Promise<Date> {
  return (await readRow<{ at: Date }>(db, 'doctor_clock', sql`select clock_timestamp() as at`)).at;
}
