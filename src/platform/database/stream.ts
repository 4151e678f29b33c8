import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import type { Queryable } from './query.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Fixes the text formats of values, so that a COPY from one server fits another. With `row_security` off, PostgreSQL reports an
 * error where a row-level policy would silently leave rows out.
 */
const SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set row_security = off; set statement_timeout = 0`;

/** A connection outside the pools, for COPY. It has no statement time-out, since a file or a pipe may be slow. */
export interface StreamConnection extends Queryable {
  /** Runs a statement that returns no rows. */
  run: (text: string) => Promise<void>;
  /** Runs `copy … to stdout`. */
  copyOut: (text: string) => Promise<Readable>;
  /** Runs `copy … from stdin`. */
  copyIn: (text: string) => Promise<Writable>;
  /** Ends the connection, and with it a transaction that is not committed. */
  end: () => Promise<void>;
}

/** Opens the connection. The caller must end it. */
export async function openStreamConnection(
  connection: pg.ClientConfig,
  lockTimeoutMs: number,
): Promise<StreamConnection> {
  const client = new pg.Client({
    ...connection,
    application_name: 'offplan',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: lockTimeoutMs,
  });
  // Without a listener, the error of a broken connection would end the process.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(SETTINGS);
  return {
    query: (statement) => client.query(statement),
    run: async (text) => void (await client.query(text)),
    // The library is imported here, since most processes never copy.
    copyOut: async (text) => client.query((await import('pg-copy-streams')).to(text)),
    copyIn: async (text) => client.query((await import('pg-copy-streams')).from(text)),
    end: () => client.end(),
  };
}
