import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../platform/config/index.ts';
import { startEmbedded, type EmbeddedPostgres } from '../platform/postgres/index.ts';
import {
  COMMAND_LIMITS,
  type Limits,
  migrate,
  openPools,
  requireCurrentSchema,
  type Pools,
} from '../platform/database/index.ts';
import { sayToPeople } from './output.ts';

interface Database {
  pools: Pools;
  /** Lets go of the database; the embedded PostgreSQL ends with the last process that uses it. */
  close(): Promise<void>;
}

interface OpenOptions {
  /** For `offplan migrate`: leaves the schema of an external database as it is. */
  anySchema?: boolean;
  onError?: (error: Error) => void;
  /** Takes a line of progress; stderr when it is not given and that is a terminal. */
  note?: (text: string) => void;
  limits?: Limits;
}

interface WorkOptions extends OpenOptions {
  /** Told of the first Ctrl-C, to end in order; the second ends at once. Without it the first does. */
  onStop?: () => void;
}

/** How long a connection that is at work is waited for; what it has not committed is rolled back. */
const BUSY_MS = 2_000;

/** Opens the database of the settings, its schema up to date. */
export async function openDatabase(config: Config, options: OpenOptions = {}): Promise<Database> {
  const { onError = () => undefined, note = sayToPeople, limits = COMMAND_LIMITS } = options;
  const embedded =
    config.databaseUrl === null ? await startEmbedded({ ...config, note }) : undefined;
  const pools = openPools(embedded?.connection ?? config.databaseUrl ?? '', onError, limits);
  async function end(): Promise<void> {
    const timer = new AbortController();
    const late = sleep(BUSY_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([pools.end(), late]);
    timer.abort();
    await embedded?.release();
  }
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => (ended ??= end());
  try {
    if (embedded) await migrateEmbedded(embedded, onError);
    else if (!options.anySchema) await requireCurrentSchema(pools.lookups);
  } catch (error) {
    await close();
    throw error;
  }
  return { pools, close };
}

// On a pool of its own: a migration may take longer than a request waits for an answer.
async function migrateEmbedded(
  { connection }: EmbeddedPostgres,
  onError: (error: Error) => void,
): Promise<void> {
  const pools = openPools(connection, onError, COMMAND_LIMITS);
  try {
    await migrate(pools.lookups);
  } finally {
    await pools.end();
  }
}

const SAME_STOP_MS = 500;

/** Runs a command's work on the database, and lets go of it however the work ends, Ctrl-C too. */
export async function withDatabase<T>(
  config: Config,
  work: (pools: Pools) => Promise<T>,
  options: WorkOptions = {},
): Promise<T> {
  const { onStop: whenAsked, ...open } = options;
  let onStop = whenAsked;
  const opened = openDatabase(config, open);
  let stopping: Promise<never> | undefined;
  let askedMs = -Infinity;
  const stop = (signal: NodeJS.Signals): void => {
    // npm passes on the Ctrl-C that the terminal has sent to everyone already: one, not two.
    if (performance.now() - askedMs < SAME_STOP_MS) return;
    askedMs = performance.now();
    if (onStop === undefined) stopping ??= letGo(opened, signal);
    else onStop();
    onStop = undefined;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  try {
    const database = await opened;
    try {
      return await work(database.pools);
    } finally {
      await database.close();
    }
  } catch (error) {
    // What fails because the user stops it is no fault to speak of.
    await stopping;
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
  }
}

/** What a shell says of a process that such a signal ended. */
export const SIGNAL_EXIT_CODES: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

async function letGo(opened: Promise<Database>, signal: NodeJS.Signals): Promise<never> {
  const database = await opened.catch(() => undefined);
  await database?.close();
  return process.exit(SIGNAL_EXIT_CODES[signal] ?? 1);
}
