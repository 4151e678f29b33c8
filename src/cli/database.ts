import { setTimeout as sleep } from 'node:timers/promises';
import { findAccountBySlug } from '../accounts/index.ts';
import type { Config } from '../platform/config/index.ts';
import {
  COMMAND_TIMEOUTS,
  chooseConnection,
  type Timeouts,
  migrate,
  openPool,
  openPools,
  requireCurrentSchema,
  type Pool,
  type Pools,
} from '../platform/database/index.ts';
import type { Note } from '../platform/postgres/index.ts';
import { CommandError } from './command-error.ts';
import { readCommandConfig } from './config.ts';
import { say, sayOnTerminal } from './output.ts';
import { callOnSignals, toExitCode } from './signals.ts';

interface Database {
  pools: Pools;
  /** The folder of the embedded PostgreSQL; null for an external one. */
  dataDir: string | null;
  /** Opens a pool without the time-outs of requests, for long work. The caller ends it. */
  openCommandPool: () => Pool;
  /**
   * Migrates an embedded database; throws a SchemaError when an external one is not up to date. It is a step of its own, so that
   * `close` can end a long migration.
   */
  prepare: () => Promise<void>;
  /** Closes the connections. The last process that uses the embedded PostgreSQL stops it. */
  close: () => Promise<void>;
}

interface OpenOptions {
  /** Skips the check that an external database has the current schema, for `offplan migrate`. */
  anySchema?: boolean;
  /** Called with the name of each migration that an embedded database has run. */
  onMigrated?: (name: string) => void;
  onError?: (error: Error) => void;
  /** Shows a line of progress. The default writes it to stderr, when that is a terminal. */
  note?: Note;
  timeouts?: Timeouts;
  /** Ends the search for a way to connect to an external database. */
  signal?: AbortSignal;
}

/** The options of work on the database, which a signal can stop. */
export interface WorkOptions extends Omit<OpenOptions, 'signal'> {
  /**
   * Called with the first signal to stop the work in order; the command then sets the exit code. The process exits at the second
   * signal. It exits at the first one without `onStop`, or before the work has begun.
   */
  onStop?: (signal: NodeJS.Signals) => void;
  /** Says what a command has stored that a signal ended, once the database is closed. */
  describeStop?: () => string | undefined;
}

/** How long `close` waits for statements in flight. PostgreSQL rolls back uncommitted transactions. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Opens the configured database. The caller must `prepare` it before other work. */
export async function openDatabase(config: Config, options: OpenOptions = {}): Promise<Database> {
  const { note = sayOnTerminal, timeouts = COMMAND_TIMEOUTS } = options;
  const { signal = new AbortController().signal } = options;
  let closing: Promise<void> | undefined;
  // The embedded PostgreSQL may end a connection before it has seen that this process closes it.
  const onError = (error: Error): void => {
    if (closing === undefined) options.onError?.(error);
  };
  const { databaseUrl } = config;
  await using opening = new AsyncDisposableStack();
  const embedded = databaseUrl === null ? await startPostgres(config, note) : undefined;
  opening.defer(async () => embedded?.release());
  const connection = embedded?.connection ?? (await chooseConnection(databaseUrl ?? '', signal));
  const pools = openPools(connection, onError, timeouts);
  opening.defer(() =>
    Promise.race([pools.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]),
  );
  const openCommandPool = () => openPool(connection, onError, COMMAND_TIMEOUTS);
  const prepare = async (): Promise<void> => {
    if (embedded) await migrateEmbedded(openCommandPool(), options.onMigrated);
    else if (!options.anySchema) await requireCurrentSchema(pools.lookups);
  };
  const opened = opening.move();
  const dataDir = embedded?.dataDir ?? null;
  const close = () => (closing ??= opened.disposeAsync());
  return { pools, dataDir, openCommandPool, prepare, close };
}

// Import the code of the embedded PostgreSQL only when it is used: without it, the service starts faster.
async function startPostgres(config: Config, note: Note) {
  const { startEmbedded } = await import('../platform/postgres/index.ts');
  return startEmbedded({ ...config, note });
}

// Use a pool of its own: a migration may take longer than the time-outs of requests allow.
async function migrateEmbedded(pool: Pool, onMigrated?: (name: string) => void): Promise<void> {
  await using resources = new AsyncDisposableStack();
  resources.defer(() => pool.end());
  await migrate(pool, onMigrated);
}

/** Runs the work of a command on the account with this slug. Throws a CommandError when there is none. */
export function withAccount<T>(
  slug: string,
  work: (pools: Pools, accountId: string, config: Config) => Promise<T>,
  options?: WorkOptions,
): Promise<T> {
  return withDatabase(async (pools, config) => {
    const accountId = await findAccountBySlug(pools.lookups, slug);
    if (accountId === undefined) throw createNoAccountError(slug);
    return work(pools, accountId, config);
  }, options);
}

/** Creates the error of a slug that no account has. */
export function createNoAccountError(slug: string): CommandError {
  return new CommandError(
    `there is no account "${slug}"; offplan accounts list shows the accounts`,
  );
}

/** Runs the work of a command on the configured database. Closes the database at the end, after an error and at Ctrl-C. */
export async function withDatabase<T>(
  work: (pools: Pools, config: Config, dataDir: string | null) => Promise<T>,
  { onStop, describeStop, ...options }: WorkOptions = {},
): Promise<T> {
  const reading = readCommandConfig();
  const stop = new AbortController();
  const { signal } = stop;
  const opening = reading.then((config) => openDatabase(config, { ...options, signal }));
  let isWorking = false;
  let exiting: Promise<never> | undefined;
  const exit = (name: NodeJS.Signals) => {
    stop.abort();
    exiting ??= closeAndExit(opening, name, describeStop);
  };
  const stopInOrder = (name: NodeJS.Signals) =>
    onStop !== undefined && isWorking ? onStop(name) : exit(name);
  const removeListeners = callOnSignals([stopInOrder, exit]);
  try {
    const { pools, dataDir, prepare, close } = await opening;
    await using resources = new AsyncDisposableStack();
    resources.defer(close);
    await prepare();
    isWorking = true;
    return await work(pools, await reading, dataDir);
  } catch (error) {
    // Wait for the exit instead of reporting an error that the stop itself causes.
    await exiting;
    throw error;
  } finally {
    removeListeners();
  }
}

async function closeAndExit(
  opening: Promise<Database>,
  signal: NodeJS.Signals,
  describeStop: WorkOptions['describeStop'],
): Promise<never> {
  const database = await opening.catch(() => undefined);
  await database?.close();
  const description = describeStop?.();
  if (description !== undefined) say(description);
  return process.exit(toExitCode(signal));
}
