import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  PROCESS_CONNECTIONS,
  requireCurrentSchema,
  requireTimeouts,
  SchemaError,
  type CitusWorker,
  type Queryable,
  WORKER_CONNECTIONS,
} from '../platform/database/index.ts';
import { countUnreadable, type SealedSecret } from '../platform/secrets/index.ts';
import { listSecondStepSecrets } from '../users/index.ts';
import { listWebhookSecrets } from '../webhooks/index.ts';
import { unknown, type Finding } from './findings.ts';
import * as rules from './rules.ts';
import * as serverRules from './server-rules.ts';
import * as store from './store.ts';

/** The installation to examine. */
export interface Installation {
  db: Queryable;
  citusWorkers: CitusWorker[];
  /** The key that encrypts secrets; null when there is none. */
  secretKey: Buffer | null;
  /** The number of processes that share the port. */
  workers: number;
  /** Whether the PostgreSQL is the embedded one. */
  isEmbedded: boolean;
  /** The folders in which Offplan, or its own PostgreSQL, writes. */
  folders: string[];
  now: () => Date;
}

/** The finding of one check of `offplan doctor`. */
export interface CheckResult extends Finding {
  name: string;
  /** The address of the worker of a Citus; absent for the server of DATABASE_URL. */
  server?: string;
}

/** A PostgreSQL to look at. */
interface Target {
  db: Queryable;
  /** The most connections that this machine opens to the server. */
  connectionsNeeded: number;
  folders: string[];
  secretKey: Buffer | null;
  now: () => Date;
}

/** How many secrets of each kind are looked at. */
const SECRETS_MAX = 100;

/** Lists the secrets of webhooks and second steps, encrypted: all, or at most `limit` of each kind. */
export async function listSecrets(db: Queryable, limit: number | null): Promise<SealedSecret[]> {
  return [...(await listWebhookSecrets(db, limit)), ...(await listSecondStepSecrets(db, limit))];
}

/** The most connections of the first process when it has workers. */
const FIRST_CONNECTIONS = 10;

const CHECKS = {
  connections: async ({ db, connectionsNeeded }) =>
    rules.judgeConnections({ ...(await store.readConnections(db)), needed: connectionsNeeded }),
  settings: async ({ db }) => rules.judgeSettings(await store.readSettings(db)),
  version: async ({ db, now }) => rules.judgeVersion(await store.readVersion(db), now()),
  schema: async ({ db }) => rules.judgeSchema(await readProblem(requireCurrentSchema(db))),
  rights: async ({ db }) => rules.judgeRights(await store.listMissingRights(db)),
  indexes: async ({ db }) => rules.judgeIndexes(await store.listInvalidIndexes(db)),
  logs: async ({ db }) => rules.judgeLogs(await store.measureLogs(db, rules.LOGS)),
  'dead rows': async ({ db }) => rules.judgeDeadRows(await store.listDeadRows(db)),
  transactions: async ({ db, now }) =>
    rules.judgeTransactions(
      await store.listTransactions(db, now()),
      await store.countHiddenSessions(db),
    ),
  replication: async ({ db }) => serverRules.judgeReplication(await store.readReplication(db)),
  pooler: async ({ db }) => serverRules.judgePooler(await readProblem(requireTimeouts(db))),
  clock: async ({ db, now }) => {
    const before = now().getTime();
    const at = (await store.readServerTime(db)).getTime();
    // PostgreSQL read its clock between `before` and `after`.
    const after = now().getTime();
    return serverRules.judgeClock(at < before ? at - before : Math.max(at - after, 0));
  },
  secrets: async ({ db, secretKey }) => {
    const secrets = await listSecrets(db, SECRETS_MAX);
    const unreadable = countUnreadable(secrets, secretKey);
    return rules.judgeSecrets({ count: secrets.length, unreadable, hasKey: secretKey !== null });
  },
  disk: async ({ folders }) => serverRules.judgeDisks(await Promise.all(folders.map(readDisk))),
} satisfies Record<string, (target: Target) => Promise<Finding>>;

type CheckName = keyof typeof CHECKS;

const ALL_CHECKS = Object.keys(CHECKS) as CheckName[];
/** The checks of rows. On a Citus the workers have the rows, so the coordinator has none to look at. */
const ROW_CHECKS = new Set<CheckName>(['logs', 'dead rows']);
/** The checks of the installation. One server has the answer for all. */
const INSTALLATION_CHECKS = new Set<CheckName>(['schema', 'rights', 'pooler', 'secrets', 'disk']);

/**
 * Runs all checks, one after the other, then those of each worker of a Citus. The result of a check that fails to run says why. When
 * PostgreSQL does not answer, one result says so instead of one for each check of it.
 */
export async function examine(installation: Installation): Promise<CheckResult[]> {
  const { citusWorkers, workers, isEmbedded, ...target } = installation;
  const connectionsNeeded = countConnections(workers, isEmbedded);
  const first = { ...target, connectionsNeeded };
  const problem = await readFailure(target.db);
  if (problem !== null)
    return [
      { name: 'network', ...serverRules.judgeNoAnswer(problem) },
      ...(await runChecks(['disk'], first)),
    ];
  const results = await runChecks(
    citusWorkers.length === 0 ? ALL_CHECKS : ALL_CHECKS.filter((name) => !ROW_CHECKS.has(name)),
    first,
  );
  for (const { address, pool } of citusWorkers) {
    const found = await examineWorker({
      ...target,
      db: pool,
      connectionsNeeded: workers * WORKER_CONNECTIONS,
    });
    results.push(...found.map((result) => ({ ...result, server: address })));
  }
  return results;
}

/** Counts the most connections that the processes of this machine open to the server of DATABASE_URL. */
function countConnections(workers: number, isEmbedded: boolean): number {
  // Each process keeps one more connection to the embedded PostgreSQL, which ends when the last one is gone.
  const ofProcess = isEmbedded ? PROCESS_CONNECTIONS + 1 : PROCESS_CONNECTIONS;
  if (workers === 1) return ofProcess;
  return workers * ofProcess + (isEmbedded ? FIRST_CONNECTIONS + 1 : FIRST_CONNECTIONS);
}

async function examineWorker(target: Target): Promise<CheckResult[]> {
  const problem = await readFailure(target.db);
  if (problem !== null) return [{ name: 'network', ...serverRules.judgeUnreachable(problem) }];
  return runChecks(
    ALL_CHECKS.filter((name) => !INSTALLATION_CHECKS.has(name)),
    target,
  );
}

/** Returns why a server does not answer; null when it does. */
const readFailure = (db: Queryable): Promise<string | null> =>
  store.readServerTime(db).then(() => null, describe);

async function runChecks(names: CheckName[], target: Target): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const name of names) {
    const finding = await CHECKS[name](target).catch((error: unknown) =>
      unknown(`this could not be looked at: ${describe(error)}`),
    );
    results.push({ name, ...finding });
  }
  return results;
}

const describe = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Returns the message of the SchemaError with which a check fails; null when it passes. */
async function readProblem(check: Promise<void>): Promise<string | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    throw error;
  }
}

/**
 * Reads how much of the disk of a folder is free. For a folder that does not exist yet, it reads the disk of the nearest folder
 * above.
 */
async function readDisk(folder: string): Promise<serverRules.Disk> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || dirname(folder) === folder) throw error;
    return { ...(await readDisk(dirname(folder))), folder };
  }
}
