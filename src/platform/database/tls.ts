import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import pg from 'pg';
import { ConfigError } from '../config/index.ts';

const TRIAL_TIMEOUT_MS = 5_000;

/** Chooses how to connect to a database: the first way of `listConnections` on which PostgreSQL accepts a connection. */
export async function chooseConnection(databaseUrl: string): Promise<pg.ClientConfig> {
  const [first = {}, ...others] = listConnections(databaseUrl);
  if (others.length === 0) return first;
  for (const connection of [first, ...others]) if (await canConnect(connection)) return connection;
  // The pool reports why it cannot connect.
  return first;
}

async function canConnect(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: TRIAL_TIMEOUT_MS });
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
 * Lists the ways to connect to a database in the order in which libpq tries them: `sslmode=prefer` and `allow` have two.
 * The driver gives the parameters for TLS a meaning of its own, and warns of it, so it gets the URL without them.
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
  const [cert, key] = (['sslcert', 'sslkey'] as const).map((name) =>
    readCertificate(name, parameters.get(name) ?? null),
  );
  return {
    ...(root === null ? { rejectUnauthorized: false } : { ca: readRoots(root) }),
    // Only `verify-full` compares the host name.
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key, passphrase: parameters.get('sslpassword') ?? undefined }),
  };
}

const DEFAULT_ROOT = join(homedir(), '.postgresql', 'root.crt');

/** Finds the file that libpq reads when `sslrootcert` is not given. */
function findDefaultRoot(): string | null {
  return existsSync(DEFAULT_ROOT) ? DEFAULT_ROOT : null;
}

function readRoots(root: string): string | string[] | undefined {
  if (root !== 'system') return readCertificate('sslrootcert', root);
  // A container may have no certificates of the system; Node.js brings those of Mozilla.
  return [...getCACertificates('system'), ...getCACertificates('default')];
}

function readCertificate(name: string, file: string | null): string | undefined {
  if (file === null) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `DATABASE_URL must name in ${name} a file that can be read; ${file} cannot (${code}).`,
    );
  }
}
