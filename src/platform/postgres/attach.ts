import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgresError } from './error.ts';
import { launchServer, readFailure, removeStaleLocks, stopServer } from './server-process.ts';
import type { Server } from './server-process.ts';

/**
 * Each process that uses the server keeps a connection that holds this advisory lock shared. A process that gets it
 * exclusively is the last one. PostgreSQL releases the lock of a process that was killed. (The schema takes no
 * advisory locks, because on Citus each node has its own.)
 */
const USERS_LOCK = 0x0ff91a4;

const ANSWER_TIMEOUT_MS = 10_000;
const PATIENCE_MS = 30_000;
/** After a crash PostgreSQL replays its log, and rejects connections meanwhile. */
const RECOVERY_MS = 300_000;
const PAUSE_MS = 25;

/** SQLSTATEs of a server that starts or stops (57P03, 57P01, 57P02) or has too many clients. */
const PASSING = new Set(['57P03', '57P01', '57P02', '53300']);

/** A process's connection as a user of the server. */
export interface Attachment {
  client: pg.Client;
  /** Resolves when the connection has ended, for whatever reason. */
  ended: Promise<void>;
}

/** Options for `pg`. The port and `ssl` are set, so that PGPORT and PGSSLMODE do not apply. */
export function connectionTo({ socketFolder }: Server, database: string) {
  return { host: socketFolder, port: 5432, ssl: false as const, user: 'offplan', database };
}

/**
 * Becomes a user of the server, and starts it if it does not run. Other processes may start or stop it at the same time,
 * so each step may fail, and is repeated for a while.
 */
export async function attach(server: Server, signal: AbortSignal): Promise<Attachment> {
  let launched: ChildProcess | undefined;
  let patienceMs = PATIENCE_MS;
  for (const startMs = Date.now(); ; await sleep(PAUSE_MS)) {
    // A server that this process has started must get a user that stops it.
    if (launched === undefined || hasEnded(launched)) signal.throwIfAborted();
    try {
      return await connectAsUser(server);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === '57P03') patienceMs = RECOVERY_MS;
      const isFinal = error instanceof pg.DatabaseError && !PASSING.has(code);
      if (isFinal || Date.now() - startMs > patienceMs) throw error;
      if (['ENOENT', 'ECONNREFUSED'].includes(code))
        launched = await ensureLaunched(server, launched);
    }
  }
}

/** Launches a server unless one starts or stops. Throws when the last one could not start. */
async function ensureLaunched(
  server: Server,
  launched?: ChildProcess,
): Promise<ChildProcess | undefined> {
  if (launched !== undefined) {
    if (!hasEnded(launched)) return launched;
    const reason = await readFailure(server);
    // Another process has started a server at the same time, or has already stopped this one.
    const isRace = /lock file|shared memory block/.test(reason) || launched.exitCode === 0;
    if (!isRace)
      throw new EmbeddedPostgresError(`The embedded PostgreSQL does not start: ${reason}`);
  }
  return (await removeStaleLocks(server)) ? launchServer(server) : undefined;
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

async function connectAsUser(server: Server): Promise<Attachment> {
  const client = new pg.Client({
    ...connectionTo(server, 'postgres'),
    application_name: 'offplan user',
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  // Without a listener the end of the server would end this process.
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.connect();
    // While the last user stops the server, this waits, and fails when the server ends.
    await client.query('select pg_advisory_lock_shared($1)', [USERS_LOCK]);
    return { client, ended };
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}

/** Ends the use of the server. The last user stops it. */
export async function detach(server: Server, { client }: Attachment): Promise<void> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const { rows } = await client.query<{ isLast: boolean }>(
      'select pg_try_advisory_lock($1) as "isLast"',
      [USERS_LOCK],
    );
    if (rows[0]?.isLast === true) await stopServer(server);
  } catch (error) {
    // PostgreSQL has released the lock of a connection that broke.
    if (error instanceof EmbeddedPostgresError) throw error;
  } finally {
    void client.end().catch(() => undefined);
  }
}
