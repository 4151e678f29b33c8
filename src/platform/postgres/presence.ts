import { stat } from 'node:fs/promises';
import pg from 'pg';
import { EmbeddedPostgresError } from './error.ts';
import type { Server } from './server.ts';
import { port } from './socket.ts';

/**
 * A process that uses the server shows it by a connection of its own, which holds this advisory lock
 * shared; who gets it exclusively is alone. The kernel closes a killed process's connection, and its
 * lock is free: no file can do that. (The schema takes no advisory locks, because it must run on
 * Citus, where they are each node's own. The embedded server is always a single one.)
 */
const presenceLock = 0x0ff91a4;

const connectTimeoutMs = 5_000;
const queryTimeoutMs = 10_000;

/** A process's hold on the server. */
export interface Presence {
  client: pg.Client;
  /** Resolves when the connection is gone, for whatever reason. */
  ended: Promise<void>;
}

/** How a server is reached. The port and `ssl` are said, too, so that PGPORT and PGSSLMODE are not asked. */
export function connectionTo(server: Server, database: string) {
  return { host: server.socketFolder, port, ssl: false as const, user: 'offplan', database };
}

/** Connects, makes sure that the server is this cluster's, and takes the shared lock. */
export async function takePresence(server: Server): Promise<Presence> {
  const client = new pg.Client({
    ...connectionTo(server, 'postgres'),
    application_name: 'offplan presence',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  // Without a listener the server's shutdown would end our process.
  client.on('error', () => {});
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.connect();
    await assertServes(client, server);
    // Waits while the last to leave stops the server, and then fails with it.
    await client.query('select pg_advisory_lock_shared($1)', [presenceLock]);
    return { client, ended };
  } catch (error) {
    close(client);
    throw error;
  }
}

/** Gives the lock back. True when nobody else is there: then it is held exclusively, and the server is ours to stop. */
export async function isLastToLeave({ client }: Presence): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [presenceLock]);
  const result = await client.query<{ granted: boolean }>(
    'select pg_try_advisory_lock($1) as granted',
    [presenceLock],
  );
  return result.rows[0]?.granted === true;
}

/** Closes a connection, in whatever state it is. */
export function close(client: pg.Client): void {
  client.end().catch(() => {});
}

/** The pid file can be stale and a socket's folder can be moved; only the server knows what it serves. */
async function assertServes(client: pg.Client, server: Server): Promise<void> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const served = rows[0]?.data_directory ?? '';
  const [own, its] = await Promise.all([stat(server.cluster), stat(served).catch(() => undefined)]);
  if (its?.ino === own.ino && its.dev === own.dev) return;
  throw new EmbeddedPostgresError(
    `The PostgreSQL that answers in ${server.socketFolder} serves ${served}, and not ${server.cluster}: stop it (kill -INT its process).`,
  );
}
