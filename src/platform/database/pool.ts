import pg from 'pg';
import { createBreaker } from './breaker.ts';
import { isConnectTimeout, isFatal, isPoolTimeout, UnavailableError } from './errors.ts';
import type { Timeouts } from './timeouts.ts';
import type { Queryable } from './query.ts';
import { isReadOnly, ServerAwareClient } from './read-only.ts';
import { listConnections } from './tls.ts';

/** A pool of connections to one server. */
export interface Pool extends Queryable {
  readonly totalCount: number;
  readonly idleCount: number;
  /** The number of callers that wait for a connection. */
  readonly waitingCount: number;
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

interface PoolOptions extends Partial<Timeouts> {
  /** The most connections that the pool opens. */
  max?: number;
  /** The settings of its sessions as command-line options of PostgreSQL; by default those of look-ups. */
  serverOptions?: string;
  /** The pool that gives a connection when the server of this one refuses it. It is not used when that server does not answer. */
  fallback?: Pool;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Look-ups use one generic plan for each statement and connection, since planning takes longer than running. A table may grow
 * after PostgreSQL made the plan, so the plan must use an index wherever there is one.
 */
const LOOKUP_SERVER_OPTIONS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

const ALLOW_PLANS_FOR_VALUES_ON_CITUS = {
  name: 'connection_plan_for_values',
  text: `select set_config('plan_cache_mode', 'auto', false) from pg_extension where extname = 'citus'`,
};

/**
 * Opens one pool. It throws an UnavailableError at once while the circuit breaker is open, or when the last caller got no
 * connection of the full pool.
 */
export function openPool(
  connection: string | pg.ClientConfig,
  onError: (error: Error) => void,
  options: PoolOptions = {},
): Pool {
  const { max = 10, silenceMs = 60_000, serverOptions = LOOKUP_SERVER_OPTIONS, fallback } = options;
  const config = makePoolConfig(connection, { ...options, max, silenceMs, serverOptions });
  const pool = new pg.Pool(config);
  // Without a listener, the error of a broken connection would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (serverOptions === LOOKUP_SERVER_OPTIONS)
      planForValuesOnCitus(client).catch(() => undefined);
  });
  const breaker = createBreaker(pool, config, silenceMs);
  const isFull = (): boolean => pool.idleCount === 0 && pool.totalCount >= max;
  // Whether the last caller got no connection because the pool was full.
  let isExhausted = false;

  async function connectHere(): Promise<pg.PoolClient> {
    if (breaker.isOpen) throw new UnavailableError('the database does not answer');
    if (isExhausted && isFull()) throw new UnavailableError('all database connections are in use');
    try {
      const client = await pool.connect();
      isExhausted = false;
      return isReadOnly(client) ? closeWhenReleased(client) : client;
    } catch (error) {
      isExhausted = isFull();
      if (isConnectTimeout(error)) breaker.openWhenSilent();
      breaker.isProbeWanted = true;
      throw error;
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await connectHere();
    } catch (error) {
      const hasAnswered = !(error instanceof UnavailableError) && !isPoolTimeout(error);
      if (fallback === undefined || !hasAnswered) throw error;
      return fallback.connect();
    }
  }

  return {
    get totalCount() {
      return pool.totalCount;
    },
    get idleCount() {
      return pool.idleCount;
    },
    get waitingCount() {
      return pool.waitingCount;
    },
    connect,
    query: async (statement) => {
      const client = await connect();
      try {
        const result = await client.query(statement);
        client.release();
        return result;
      } catch (error) {
        // After such an error PostgreSQL closes the connection. The driver notices later, so the pool must close it now.
        client.release(isFatal(error));
        throw error;
      }
    },
    end: () => {
      breaker.stop();
      return pool.end();
    },
  };
}

function makePoolConfig(
  connection: string | pg.ClientConfig,
  options: PoolOptions & { max: number; silenceMs: number; serverOptions: string },
): pg.PoolConfig {
  const { max, silenceMs, serverOptions } = options;
  const { statementTimeoutMs = 0, lockTimeoutMs = 0, idleTransactionTimeoutMs = 0 } = options;
  return {
    ...toClientConfig(connection),
    max,
    application_name: 'offplan',
    // The driver reads dates in this style only.
    options: `-c datestyle=ISO ${serverOptions}`,
    keepAlive: true,
    // Send statements at once, even when earlier ones are not answered yet.
    pipeline: true,
    Client: ServerAwareClient,
    // Less than `silenceMs`, so that a request that got no connection is still answered in time.
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, (silenceMs * 5) / 6),
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    // PostgreSQL cancels a statement at its time-out. When the connection is lost, only the driver can give up.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + silenceMs,
  };
}

/**
 * On Citus, drops the names of statements, because PostgreSQL plans a statement without a name for its values. Citus finds the shard
 * of some statements only in such a plan. Also, a reused plan leaks memory in Citus 13.2.2: on the server that has the shard, each
 * run stores another plan of the shard. `force_custom_plan` would make PostgreSQL plan each check of a foreign key anew, too.
 */
async function planForValuesOnCitus(client: pg.PoolClient): Promise<void> {
  // The driver sends this statement together with the first one of a caller.
  const { rows } = await client.query(ALLOW_PLANS_FOR_VALUES_ON_CITUS);
  if (rows.length === 0) return;
  const query = client.query.bind(client) as (statement: object | string) => Promise<unknown>;
  const queryUnnamed = (statement: object | string) =>
    query(typeof statement === 'string' ? statement : { ...statement, name: '' });
  client.query = queryUnnamed as typeof client.query;
}

/** Makes the pool close a connection to a standby after its use, since the address may lead to the primary by then. */
function closeWhenReleased(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  client.release = (error) => release(error || true);
  return client;
}

/** Makes the configuration of the driver from a URL. */
export function toClientConfig(connection: string | pg.ClientConfig): pg.ClientConfig {
  return typeof connection === 'string' ? (listConnections(connection)[0] ?? {}) : connection;
}
