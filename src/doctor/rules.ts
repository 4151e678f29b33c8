import { DAY_MS, formatCount } from '../platform/text/index.ts';
import { ok, unknown, warning, type Finding } from './findings.ts';
import { formatBytes, formatMinutes } from './format.ts';

/*
 * Each function judges the result of one query or one file. It returns the first warning, or a finding without advice.
 */

export interface Connections {
  /** The limit that is reached first: `max_connections`, or that of the role or of the database. */
  limit: string;
  used: number;
  allowed: number;
  /** The most connections that the processes of this machine open with the current settings. */
  needed: number;
}

/** Warns when fewer connections are allowed than this node opens, or when four fifths of them are open. */
export function judgeConnections({ limit, used, allowed, needed }: Connections): Finding {
  const found = `${used} of ${allowed} connections are open, and this node opens up to ${needed}`;
  if (needed > allowed || used > allowed * 0.8)
    return warning(
      found,
      `Raise ${limit} of PostgreSQL, lower OFFPLAN_WORKERS, or put PgBouncer in front of PostgreSQL.`,
    );
  return ok(found);
}

export interface Settings {
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  isReadOnly: boolean;
  sharedBuffersBytes: number;
  databaseBytes: number;
}

/** PostgreSQL's default of `shared_buffers`, which is small enough for any machine. */
const DEFAULT_BUFFERS_BYTES = 128 * 1024 ** 2;

/** Warns of settings with which a crash loses data, of a read-only default, and of a small cache. */
export function judgeSettings(settings: Settings): Finding {
  const { fsync, fullPageWrites, synchronousCommit, sharedBuffersBytes, databaseBytes } = settings;
  const off = Object.entries({
    fsync,
    full_page_writes: fullPageWrites,
    synchronous_commit: synchronousCommit,
  }).filter(([, value]) => value === 'off');
  if (settings.isReadOnly)
    return warning(
      'default_transaction_read_only is on, so that no lead can be stored',
      'Free disk space if it was set because the disk is full, then set it to off.',
    );
  if (off.length > 0) {
    const names = off.map(([name]) => name).join(' and ');
    const isOff = off.length === 1 ? 'is off' : 'are off';
    return warning(
      `${names} ${isOff}, so that PostgreSQL can lose leads that were acknowledged`,
      `Set ${names} to on.`,
    );
  }
  const found = `shared_buffers is ${formatBytes(sharedBuffersBytes)}, and the database has ${formatBytes(databaseBytes)}`;
  if (sharedBuffersBytes <= DEFAULT_BUFFERS_BYTES && databaseBytes > 8 * sharedBuffersBytes)
    return warning(
      found,
      'Set shared_buffers to a quarter of the memory of the server of PostgreSQL.',
    );
  return ok(found);
}

/** The day on which the PostgreSQL project ends the support of each major version. */
const SUPPORT_ENDS: Record<number, string> = {
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};
const NOTICE_MS = 180 * DAY_MS;

/** Warns of a PostgreSQL that Offplan does not support, whose support ends soon, or that has no minor version yet. */
export function judgeVersion(version: number, now: Date): Finding {
  const [major, minor] = [Math.trunc(version / 10_000), version % 10_000];
  const found = `PostgreSQL is ${major}.${minor}`;
  if (major < 15) return warning(found, 'Upgrade PostgreSQL: Offplan needs 15 or later.');
  const end = SUPPORT_ENDS[major];
  if (end !== undefined && Date.parse(end) - now.getTime() < NOTICE_MS)
    return warning(
      `${found}, which gets no fixes from ${end} on`,
      'Upgrade to a later major version: offplan backup, and offplan restore into the new one.',
    );
  if (minor === 0)
    return warning(
      found,
      'Install the latest minor version: the first one of a major lacks fixes.',
    );
  return ok(found);
}

/** Judges the schema. `problem` says why it does not belong to this release; null when it does. */
export function judgeSchema(problem: string | null): Finding {
  if (problem !== null) return warning('the schema is not that of this release', problem);
  return ok('the schema is that of this release');
}

/** A table, and the rights that the role lacks on it. */
export interface MissingRights {
  table: string;
  rights: string[];
  role: string;
  schema: string;
}

/** Warns of tables that the role may not read or write. */
export function judgeRights(missing: MissingRights[]): Finding {
  const [first] = missing;
  if (first === undefined) return ok('the role may read and write every table');
  const { role, schema } = first;
  const tables = missing.map(({ table, rights }) => `${rights.join(', ')} on ${table}`);
  return warning(
    `the role ${role} lacks rights, so that requests fail: ${tables.join('; ')}`,
    `Run as the owner of the tables: grant select, insert, update, delete on all tables in schema ${schema} to ${role};`,
  );
}

/** Tells the operator how to replace secrets whose key is lost. */
export const HOW_TO_RENEW_SECRETS =
  'rotate the secret of each webhook so that the old one ends at once (POST /webhooks/:id/rotate-secret with "overlapSeconds": 0), ' +
  'make those that have headers anew, and remove the second step of each person with ' +
  '"offplan users reset ACCOUNT EMAIL --remove-second-step".';

/** The encrypted secrets that were looked at. */
export interface Secrets {
  count: number;
  unreadable: number;
  hasKey: boolean;
}

/** Warns of stored secrets that OFFPLAN_SECRET_KEY cannot decrypt. */
export function judgeSecrets({ count, unreadable, hasKey }: Secrets): Finding {
  if (count === 0) return ok('no secret of a webhook or of a second step is stored');
  if (unreadable === 0)
    return ok('the secrets of webhooks and second steps can be read with OFFPLAN_SECRET_KEY');
  return warning(
    hasKey
      ? `${unreadable} of ${count} secrets of webhooks and second steps were encrypted with another OFFPLAN_SECRET_KEY`
      : `OFFPLAN_SECRET_KEY is not set, and ${count} secrets of webhooks and second steps need it`,
    `Set ${hasKey ? 'OFFPLAN_SECRET_KEY' : 'it'} to the key that encrypted them. When that is lost, ${HOW_TO_RENEW_SECRETS}`,
  );
}

/** Warns of indexes that PostgreSQL does not use, since building them has failed. */
export function judgeIndexes(invalidIndexes: string[]): Finding {
  if (invalidIndexes.length > 0)
    return warning(
      `PostgreSQL does not use ${invalidIndexes.join(', ')}, since building it has failed`,
      `Build it again: ${invalidIndexes.map((name) => `reindex index concurrently ${name};`).join(' ')}`,
    );
  return ok('all indexes are valid');
}

/** A log, with its rows and its size as PostgreSQL's statistics estimate them. */
export interface Log {
  table: string;
  rows: number;
  bytes: number;
}

/** The setting that limits the age of each log, by its table. */
const DAYS_OF: Record<string, string> = {
  imports: 'OFFPLAN_IMPORT_LOG_DAYS',
  events: 'OFFPLAN_EVENT_DAYS',
  webhook_deliveries: 'OFFPLAN_WEBHOOK_DELIVERY_DAYS',
};
/** The tables of the logs. */
export const LOGS = Object.keys(DAYS_OF);
const LOG_MAX_ROWS = 100_000_000;

/** Warns of a log that has grown too large. */
export function judgeLogs(logs: Log[]): Finding {
  const describe = ({ table, rows, bytes }: Log): string =>
    `${table} has about ${formatCount(rows)} rows (${formatBytes(bytes)})`;
  const large = logs.find(({ rows }) => rows > LOG_MAX_ROWS);
  if (large !== undefined)
    return warning(
      describe(large),
      `Keep it for fewer days with ${DAYS_OF[large.table]}, or move large accounts to an installation of their own: see docs/scaling.md.`,
    );
  return ok(logs.length === 0 ? 'there is no log yet' : logs.map(describe).join('; '));
}

/** A table, with its live and dead rows as PostgreSQL's statistics estimate them. `isVacuumed`: autovacuum is on for it. */
export interface DeadRows {
  table: string;
  live: number;
  dead: number;
  isVacuumed: boolean;
}

const DEAD_MIN_ROWS = 100_000;

/** Warns when autovacuum is off, or leaves a table with more than half as many dead rows as live ones. */
export function judgeDeadRows(tables: DeadRows[]): Finding {
  const off = tables.filter(({ isVacuumed }) => !isVacuumed).map(({ table }) => table);
  if (off.length > 0)
    return warning(
      `autovacuum is off${off.length === tables.length ? '' : ` for ${off.join(', ')}`}`,
      'Turn autovacuum on: without it tables grow with each change, and lists become slow.',
    );
  const full = tables.find(({ live, dead }) => dead > DEAD_MIN_ROWS && dead > live * 0.5);
  if (full !== undefined)
    return warning(
      `${full.table} has ${formatCount(full.dead)} dead rows beside ${formatCount(full.live)} live ones`,
      'Look for a transaction that has been open for a long time, then raise autovacuum_vacuum_cost_limit.',
    );
  return ok('autovacuum keeps up with changed and deleted rows');
}

/** A transaction that has been open for more than a minute. */
export interface Transaction {
  pid: number;
  application: string;
  ageMs: number;
}

const TRANSACTION_MAX_MS = 3_600_000;

/** `hiddenSessions` counts the sessions whose transactions the role may not see. */
export function judgeTransactions(transactions: Transaction[], hiddenSessions: number): Finding {
  const [oldest] = transactions.toSorted((a, b) => b.ageMs - a.ageMs);
  const isLong = oldest !== undefined && oldest.ageMs > TRANSACTION_MAX_MS;
  if (hiddenSessions > 0 && !isLong)
    return unknown('the role of DATABASE_URL needs pg_monitor to see the transactions of others');
  if (oldest === undefined) return ok('no transaction has been open for more than a moment');
  const { pid, application, ageMs } = oldest;
  const found = `the oldest transaction (process ${pid} of PostgreSQL, "${application}") has been open for ${formatMinutes(ageMs)}`;
  if (!isLong) return ok(found);
  return warning(
    found,
    `PostgreSQL cannot remove old rows until that transaction ends. If nobody needs it, end its connection: select pg_terminate_backend(${pid});`,
  );
}
