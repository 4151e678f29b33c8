import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Note } from './data-folder.ts';
import { getErrorText } from './error.ts';
import { createFailure } from './failure.ts';
import {
  launchServer,
  readFailure,
  stopServer,
  type LaunchedServer,
  type Server,
} from './server.ts';

/**
 * Each process that uses the server keeps a connection that holds this advisory lock shared. A process that gets it exclusively
 * is the last one. PostgreSQL releases the lock of a process that was killed. (The schema takes no advisory locks, because on
 * Citus each node has its own.)
 */
const USERS_LOCK = 0x0ff91a4;

const ANSWER_TIMEOUT_MS = 10_000;
/** How long `attach` repeats its steps. */
const ATTACH_TIMEOUT_MS = 30_000;
const RETRY_EVERY_MS = 25;
const RETRY_MS = 5_000;
/** SQLSTATEs of files that are missing or damaged: no database, system errors, internal errors. */
const DAMAGE = /^(3D|58|XX)/;

/** The connection that marks this process as a user of the server. */
interface UserConnection {
  client: pg.Client;
  /** Resolves when the connection ends. It watches from before the connect, so that it misses no early end. */
  ended: Promise<void>;
}

/** Options for `pg`. The port and `ssl` are set, so that PGPORT and PGSSLMODE do not apply. */
export function connectionTo({ socketFolder }: Server, database: string) {
  return { host: socketFolder, port: 5432, ssl: false as const, user: 'offplan', database };
}

/**
 * Becomes a user of the server, and starts it if it does not run. Other processes may start or stop it meanwhile, so each step
 * may fail, and is repeated for a while. Returns the connection that marks this process as a user.
 */
export async function attach(server: Server, signal: AbortSignal): Promise<UserConnection> {
  let launched: LaunchedServer | undefined;
  for (let endMs = Date.now() + ATTACH_TIMEOUT_MS; ; await sleep(RETRY_EVERY_MS)) {
    // If this process has started a server, it must become a user that stops it.
    if (launched === undefined || hasEnded(launched)) signal.throwIfAborted();
    try {
      return await connectAsUser(server);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // PostgreSQL rejects connections while it replays its log after a crash, which may take long.
      if (code === '57P03') endMs = Date.now() + ATTACH_TIMEOUT_MS;
      // Nobody can use a server on damaged files, so nobody would stop it.
      if (DAMAGE.test(code)) launched?.child.kill('SIGQUIT');
      if (Date.now() > endMs || DAMAGE.test(code)) throw error;
      if (['ENOENT', 'ECONNREFUSED'].includes(code))
        launched = await ensureLaunched(server, launched);
    }
  }
}

/** Launches a server unless one is starting or stopping. Throws when the last one could not start. */
async function ensureLaunched(server: Server, launched?: LaunchedServer) {
  if (launched === undefined) return launchServer(server);
  if (!hasEnded(launched)) return launched;
  const reason = await readFailure(server, launched);
  // Another process has started a server at the same time, or has already stopped this one.
  if (/lock file .* exists|shared memory block/.test(reason) || launched.child.exitCode === 0)
    return launchServer(server);
  throw await createFailure(server.dataDir, 'The embedded PostgreSQL does not start', reason);
}

const hasEnded = ({ child: { exitCode, signalCode } }: LaunchedServer): boolean =>
  exitCode !== null || signalCode !== null;

function openClient(server: Server): pg.Client {
  const client = new pg.Client({
    ...connectionTo(server, 'postgres'),
    application_name: 'offplan user',
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  // Without a listener the end of the server would end this process.
  return client.on('error', () => undefined);
}

async function connectAsUser(server: Server): Promise<UserConnection> {
  const client = openClient(server);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.connect();
    // While the last user stops the server, this statement waits; it fails when the server ends.
    await client.query('select pg_advisory_lock_shared($1)', [USERS_LOCK]);
    await requireNewConnections(server);
    return { client, ended };
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * Throws when the server is ending. Such a server accepts no more connections, but may grant the lock of its last user before it
 * ends this connection.
 */
async function requireNewConnections(server: Server): Promise<void> {
  const client = openClient(server);
  await client.connect();
  void client.end().catch(() => undefined);
}

/** Stays a user until the signal, then detaches. Starts the server again when it was killed. */
export async function stayAttached(
  server: Server,
  first: UserConnection,
  signal: AbortSignal,
  note: Note,
): Promise<void> {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  for (let connection = first; ;) {
    await Promise.race([connection.ended, aborted]);
    if (signal.aborted) return detach(server, connection.client);
    note('The connection to PostgreSQL was lost; starting it again if need be.');
    try {
      connection = await attach(server, signal);
    } catch (error) {
      if (!signal.aborted) note(getErrorText(error), 'error');
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Ends this process's use of the server. The last user stops it. */
async function detach(server: Server, client: pg.Client): Promise<void> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const { rows } = await client.query<{ isLast: boolean }>(
      'select pg_try_advisory_lock($1) as "isLast"',
      [USERS_LOCK],
    );
    if (rows[0]?.isLast === true) await stopServer(server);
  } catch {
    // The connection broke: PostgreSQL has released its lock.
  } finally {
    void client.end().catch(() => undefined);
  }
}
