import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig, type Config } from '../platform/config/index.ts';
import {
  COMMAND_LIMITS,
  type Limits,
  migrate,
  openPools,
  requireCurrentSchema,
  type Pools,
} from '../platform/database/index.ts';
import { startEmbedded, type EmbeddedPostgres } from '../platform/postgres/index.ts';
import { sayToPeople } from './output.ts';

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
  limits?: Limits;
}

export interface WorkOptions extends OpenOptions {
  /** Called at the first Ctrl-C, so that the work ends in order. Without it, and at the second, the process exits. */
  onStop?: () => void;
}

/** How long `close` waits for connections with a statement in flight. PostgreSQL rolls back what is not committed. */
const BUSY_MS = 2_000;

/** Opens the database of the settings, and makes sure that its schema is the current one. */
export async function openDatabase(config: Config, options: OpenOptions = {}): Promise<Database> {
  const { onError = () => undefined, note = sayToPeople, limits = COMMAND_LIMITS } = options;
  const embedded =
    config.databaseUrl === null ? await startEmbedded({ ...config, note }) : undefined;
  const pools = openPools(embedded?.connection ?? config.databaseUrl ?? '', onError, limits);
  async function end(): Promise<void> {
    await Promise.race([pools.end(), sleep(BUSY_MS, undefined, { ref: false })]);
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

// A migration may take longer than a request may wait, so it has pools of its own.
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

/** Runs a command's work on the database of the settings, and closes it however the work ends, also at Ctrl-C. */
export async function withDatabase<T>(
  work: (pools: Pools) => Promise<T>,
  { onStop, ...options }: WorkOptions = {},
): Promise<T> {
  const opening = openDatabase(readConfig(), options);
  let exiting: Promise<never> | undefined;
  const ignoreSignals = onStopSignals([
    ...(onStop === undefined ? [] : [onStop]),
    (signal) => (exiting ??= closeAndExit(opening, signal)),
  ]);
  try {
    const { pools, close } = await opening;
    try {
      return await work(pools);
    } finally {
      await close();
    }
  } catch (error) {
    // An error that the stop itself causes is not reported.
    await exiting;
    throw error;
  } finally {
    ignoreSignals();
  }
}

/** A terminal and npm both send a Ctrl-C: signals within this time are one. */
const SAME_SIGNAL_MS = 500;

/** Calls the first of these at the first signal to stop, and so on. The function it returns removes the listeners. */
function onStopSignals(actions: ((signal: NodeJS.Signals) => unknown)[]): () => void {
  let lastMs = -Infinity;
  const listener = (signal: NodeJS.Signals): void => {
    if (performance.now() - lastMs < SAME_SIGNAL_MS) return;
    lastMs = performance.now();
    actions.shift()?.(signal);
  };
  const signals = Object.keys(SIGNAL_EXIT_CODES) as NodeJS.Signals[];
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** The exit codes that a shell gives to a process that ends by such a signal. */
export const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

async function closeAndExit(opening: Promise<Database>, signal: NodeJS.Signals): Promise<never> {
  const database = await opening.catch(() => undefined);
  await database?.close();
  return process.exit(SIGNAL_EXIT_CODES[signal as keyof typeof SIGNAL_EXIT_CODES]);
}
