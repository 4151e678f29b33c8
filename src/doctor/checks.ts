import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  PROCESS_CONNECTIONS,
  requireCurrentSchema,
  requireTimeouts,
  SchemaError,
  type Queryable,
} from '../platform/database/index.ts';
import type { Finding } from './findings.ts';
import * as rules from './rules.ts';
import * as serverRules from './server-rules.ts';
import * as store from './store.ts';

/** The installation to examine. */
export interface Installation {
  db: Queryable;
  /** The number of processes that share the port. */
  workers: number;
  /** The folders in which Offplan, or its own PostgreSQL, writes. */
  folders: string[];
  now: () => Date;
}

export interface CheckResult extends Finding {
  name: string;
}

/** The most connections of the first process when it has workers. */
const FIRST_CONNECTIONS = 10;

const CHECKS: Record<string, (installation: Installation) => Promise<Finding>> = {
  connections: async ({ db, workers }) => {
    const needed =
      workers === 1 ? PROCESS_CONNECTIONS : workers * PROCESS_CONNECTIONS + FIRST_CONNECTIONS;
    return rules.judgeConnections({ ...(await store.readConnections(db)), needed });
  },
  settings: async ({ db }) => rules.judgeSettings(await store.readSettings(db)),
  version: async ({ db, now }) => rules.judgeVersion(await store.readVersion(db), now()),
  schema: async ({ db }) =>
    rules.judgeSchema({
      problem: await readProblem(requireCurrentSchema(db)),
      invalidIndexes: await store.listInvalidIndexes(db),
    }),
  logs: async ({ db }) => rules.judgeLogs(await store.measureLogs(db, rules.LOGS)),
  'dead rows': async ({ db }) => rules.judgeDeadRows(await store.listDeadRows(db)),
  transactions: async ({ db, now }) =>
    rules.judgeTransactions(await store.listTransactions(db, now())),
  replication: async ({ db }) => serverRules.judgeReplication(await store.readReplication(db)),
  pooler: async ({ db }) => serverRules.judgePooler(await readProblem(requireTimeouts(db))),
  clock: async ({ db, now }) => {
    const before = now().getTime();
    const at = (await store.readServerTime(db)).getTime();
    // PostgreSQL read its clock between `before` and `after`.
    const after = now().getTime();
    return serverRules.judgeClock(at < before ? at - before : Math.max(at - after, 0));
  },
  disk: async ({ folders }) => serverRules.judgeDisks(await Promise.all(folders.map(readDisk))),
};

/** Runs all checks, one after the other. The result of a check that fails to run says why. */
export async function examine(installation: Installation): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const finding = await check(installation).catch((error: unknown): Finding => {
      const found = error instanceof Error ? error.message : String(error);
      return { status: 'unknown', found: `this could not be looked at: ${found}` };
    });
    results.push({ name, ...finding });
  }
  return results;
}

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

/** Reads how much of the disk of a folder is free. For a folder that does not exist yet, it reads the disk of the nearest folder above. */
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
