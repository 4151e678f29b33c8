import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, getCACertificates, type SecureContextOptions } from 'node:tls';
import pg from 'pg';
import { ConfigError, readCertificates, readNamedFile } from '../config/index.ts';

const TRIAL_TIMEOUT_MS = 5_000;

/**
 * Chooses how to connect to a database: the first of `listConnections` that PostgreSQL accepts. Throws at once when the signal is
 * aborted.
 */
export async function chooseConnection(
  databaseUrl: string,
  signal: AbortSignal,
): Promise<pg.ClientConfig> {
  const [first = {}, ...others] = listConnections(databaseUrl);
  if (others.length === 0) return first;
  for (const connection of [first, ...others]) {
    if (await canConnect(connection, signal)) return connection;
    signal.throwIfAborted();
  }
  // The pool will report why it cannot connect.
  return first;
}

async function canConnect(connection: pg.ClientConfig, signal: AbortSignal): Promise<boolean> {
  const socket = new Socket();
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: TRIAL_TIMEOUT_MS,
    stream: () => socket,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/**
 * Lists the ways to connect to a database in the order in which libpq tries them: `sslmode=prefer` and `allow` have two. The
 * driver gives the TLS parameters of a URL another meaning and warns of them, so it gets the URL without them.
 */
export function listConnections(databaseUrl: string): pg.ClientConfig[] {
  const url = new URL(databaseUrl);
  const taken = new Map(SSL_PARAMETERS.map((name) => [name, url.searchParams.get(name)]));
  for (const name of SSL_PARAMETERS) url.searchParams.delete(name);
  const connectionString = url.toString();
  const plain = { connectionString, ssl: false };
  const mode = isSocket(url) ? 'disable' : (taken.get('sslmode') ?? 'disable');
  if (mode === 'disable') return [plain];
  const encrypted = { connectionString, ssl: readTlsOptions(mode, taken) };
  if (mode === 'prefer') return [encrypted, plain];
  return mode === 'allow' ? [plain, encrypted] : [encrypted];
}

const SSL_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'] as const;
type SslParameter = (typeof SSL_PARAMETERS)[number];

// A Unix socket has no TLS, whatever the mode.
function isSocket({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return host.startsWith('/');
}

function readTlsOptions(mode: string, parameters: Map<SslParameter, string | null>) {
  const isVerified = mode.startsWith('verify-');
  const root = parameters.get('sslrootcert') ?? findDefaultRoot();
  if (root === null && isVerified)
    throw new ConfigError(
      `DATABASE_URL must say with sslrootcert=FILE, or sslrootcert=system, whose certificates to accept: sslmode=${mode} checks them, and there is no ${DEFAULT_ROOT}.`,
    );
  const [cert, key] = [parameters.get('sslcert'), parameters.get('sslkey')];
  return {
    ...(root === null ? { rejectUnauthorized: false } : { ca: readRoots(root) }),
    // Only `verify-full` compares the host name.
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...requireUsable({
      ...(cert && { cert: readCertificates(nameParameter('sslcert'), cert) }),
      ...(key && {
        key: readNamedFile(nameParameter('sslkey'), key),
        passphrase: parameters.get('sslpassword') ?? undefined,
      }),
    }),
  };
}

const nameParameter = (parameter: SslParameter): string => `DATABASE_URL must name in ${parameter}`;

/**
 * Checks that Node.js can use a certificate and its key. While it connects, Node.js would throw an error that no caller can
 * catch.
 */
function requireUsable(options: SecureContextOptions): SecureContextOptions {
  try {
    createSecureContext(options);
    return options;
  } catch (error) {
    throw new ConfigError(
      `DATABASE_URL must name in sslcert and sslkey a certificate and its own key, in PEM, and in sslpassword the password of the key (${(error as Error).message}).`,
    );
  }
}

const DEFAULT_ROOT = join(homedir(), '.postgresql', 'root.crt');

/** Finds the file that libpq reads when `sslrootcert` is not given. */
function findDefaultRoot(): string | null {
  return existsSync(DEFAULT_ROOT) ? DEFAULT_ROOT : null;
}

function readRoots(root: string): string | string[] {
  if (root !== 'system') return readCertificates(nameParameter('sslrootcert'), root);
  // A container may have no certificates of the system; Node.js brings those of Mozilla.
  return [...getCACertificates('system'), ...getCACertificates('default')];
}
