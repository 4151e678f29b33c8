import { setTimeout as sleep } from 'node:timers/promises';
import { findAccountBySlug } from '../accounts/index.ts';
import { readConfig, type Config } from '../platform/config/index.ts';
import {
  COMMAND_TIMEOUTS,
  type Timeouts,
  migrate,
  openPool,
  openPools,
  requireCurrentSchema,
  type Pools,
} from '../platform/database/index.ts';
import type { EmbeddedPostgres } from '../platform/postgres/index.ts';
import { CommandError } from './command-error.ts';
import { print, sayToPeople } from './output.ts';

interface Database {
  pools: Pools;
  /** Closes the connections. The embedded PostgreSQL ends with the last process that uses it. */
  close: () => Promise<void>;
}

interface OpenOptions {
  /** Leaves the schema of an external database as it is, for `offplan migrate`. */
  anySchema?: boolean;
  onError?: (error: Error) => void;
  /** Receives each line of progress. The default writes it to stderr, when that is a terminal. */
  note?: (text: string) => void;
  timeouts?: Timeouts;
}

interface WorkOptions extends OpenOptions {
  /** Called at the first Ctrl-C, so that the work ends in order. Without it, and at the second, the process exits. */
  onStop?: () => void;
}

/** How long `close` waits for connections with a statement in flight. PostgreSQL rolls back what is not committed. */
const BUSY_MS = 2_000;

/** Opens the database of the settings, and makes sure that its schema is the current one. */
export async function openDatabase(config: Config, options: OpenOptions = {}): Promise<Database> {
  const { onError = () => undefined, note = sayToPeople, timeouts = COMMAND_TIMEOUTS } = options;
  const { databaseUrl } = config;
  await using opening = new AsyncDisposableStack();
  const embedded = databaseUrl === null ? await startPostgres(config, note) : undefined;
  opening.defer(async () => embedded?.release());
  const pools = openPools(embedded?.connection ?? databaseUrl ?? '', onError, timeouts);
  opening.defer(() => Promise.race([pools.end(), sleep(BUSY_MS, undefined, { ref: false })]));
  if (embedded) await migrateEmbedded(embedded, onError);
  else if (!options.anySchema) await requireCurrentSchema(pools.lookups);
  const opened = opening.move();
  let closing: Promise<void> | undefined;
  return { pools, close: () => (closing ??= opened.disposeAsync()) };
}

// An external PostgreSQL needs none of this, and the service starts faster without it.
async function startPostgres(config: Config, note: (text: string) => void) {
  const { startEmbedded } = await import('../platform/postgres/index.ts');
  return startEmbedded({ ...config, note });
}

// A migration may take longer than a request may wait, so it has a pool of its own.
async function migrateEmbedded(
  { connection }: EmbeddedPostgres,
  onError: (error: Error) => void,
): Promise<void> {
  const pool = openPool(connection, onError, COMMAND_TIMEOUTS);
  await using resources = new AsyncDisposableStack();
  resources.defer(() => pool.end());
  await migrate(pool);
}

/** Runs the migrations that an external database lacks, and prints their names. */
export async function migrateDatabase(): Promise<void> {
  const names = await withDatabase(({ lookups }) => migrate(lookups), { anySchema: true });
  for (const name of names) await print(`Ran ${name}.\n`);
  await print('The schema is up to date.\n');
}

/** Runs a command's work on the account of this slug. */
export function withAccount<T>(
  slug: string,
  work: (pools: Pools, accountId: string) => Promise<T>,
  options?: WorkOptions,
): Promise<T> {
  return withDatabase(async (pools) => {
    const accountId = await findAccountBySlug(pools.lookups, slug);
    if (accountId === undefined) throw noAccount(slug);
    return work(pools, accountId);
  }, options);
}

export function noAccount(slug: string): CommandError {
  return new CommandError(
    `there is no account "${slug}"; offplan accounts list shows the accounts`,
  );
}

/** Runs a command's work on the database of the settings, and closes it however the work ends, also at Ctrl-C. */
export async function withDatabase<T>(
  work: (pools: Pools) => Promise<T>,
  { onStop, ...options }: WorkOptions = {},
): Promise<T> {
  const opening = openDatabase(readConfig(), options);
  let exiting: Promise<never> | undefined;
  const exit = (signal: NodeJS.Signals) => (exiting ??= closeAndExit(opening, signal));
  const removeListeners = onStopSignals(onStop === undefined ? [exit] : [onStop, exit]);
  try {
    const { pools, close } = await opening;
    await using resources = new AsyncDisposableStack();
    resources.defer(close);
    return await work(pools);
  } catch (error) {
    // An error that the stop itself causes is not reported.
    await exiting;
    throw error;
  } finally {
    removeListeners();
  }
}

/** The exit codes that a shell gives to a process that ends by such a signal. */
export const SIGNAL_EXIT_CODES: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};
/** A terminal and npm both send a Ctrl-C: signals within this time are one. */
const SAME_SIGNAL_MS = 500;

/**
 * Calls the first of these at the first signal to stop, and so on. Returns a function that removes the listeners. After a
 * signal it keeps them: the same signal may arrive once more, and must not kill a process that is about to end in order.
 */
function onStopSignals(actions: ((signal: NodeJS.Signals) => unknown)[]): () => void {
  let lastMs = -Infinity;
  const listener = (signal: NodeJS.Signals): void => {
    if (performance.now() - lastMs < SAME_SIGNAL_MS) return;
    lastMs = performance.now();
    actions.shift()?.(signal);
  };
  const signals = Object.keys(SIGNAL_EXIT_CODES);
  for (const signal of signals) process.on(signal, listener);
  return () => {
    if (lastMs !== -Infinity) return;
    for (const signal of signals) process.off(signal, listener);
  };
}

async function closeAndExit(opening: Promise<Database>, signal: NodeJS.Signals): Promise<never> {
  const database = await opening.catch(() => undefined);
  await database?.close();
  return process.exit(SIGNAL_EXIT_CODES[signal]);
}
