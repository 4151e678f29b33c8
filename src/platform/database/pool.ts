import pg from 'pg';
import { createBreaker } from './breaker.ts';
import { UnavailableError } from './errors.ts';
import type { Limits } from './limits.ts';
import type { Queryable } from './query.ts';

export interface Pool extends Queryable {
  readonly totalCount: number;
  readonly idleCount: number;
  /** How many callers wait for a connection. */
  readonly waitingCount: number;
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

interface PoolOptions extends Partial<Limits> {
  /** The most connections that the pool opens. */
  max?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;

/*
 * PostgreSQL plans each statement once for each connection: planning a statement with an array again takes several
 * times as long as running it. A table may be small when the plan is made and grow afterwards, so the plan uses an
 * index wherever there is one.
 */
const LOOKUP_SETTINGS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

/** Lists are planned for the values that they get. None runs long enough to be worth compiling. */
const LIST_SETTINGS = '-c jit=off';

const LOOKUP_CONNECTIONS = 8;
const LIST_CONNECTIONS = 2;

/** The two pools of a process. A pool opens a connection only when a statement needs one. */
export interface Pools {
  /** Finds rows by their keys, and runs the fixed statements of requests. */
  lookups: Pool;
  /** Runs lists, search and reports. */
  lists: Pool;
  end: () => Promise<void>;
}

/** Opens both pools on one database. */
export function openPools(
  connection: string | pg.ClientConfig,
  onError: (error: Error) => void,
  limits: Limits,
): Pools {
  const lookups = openPool(connection, onError, { ...limits, max: LOOKUP_CONNECTIONS });
  const lists = openPool(connection, onError, { ...limits, max: LIST_CONNECTIONS }, LIST_SETTINGS);
  const end = async () => void (await Promise.all([lookups.end(), lists.end()]));
  return { lookups, lists, end };
}

/** Opens one pool. It rejects work at once while PostgreSQL does not answer, or while all connections stay in use. */
export function openPool(
  connection: string | pg.ClientConfig,
  onError: (error: Error) => void,
  options: PoolOptions = {},
  settings = LOOKUP_SETTINGS,
): Pool {
  const { max = 10, silenceMs = 60_000 } = options;
  const { statementTimeoutMs = 0, lockTimeoutMs = 0, idleTransactionTimeoutMs = 0 } = options;
  const base = typeof connection === 'string' ? { connectionString: connection } : connection;
  const config: pg.PoolConfig = {
    ...base,
    max,
    application_name: 'offplan',
    options: settings,
    keepAlive: true,
    // Send statements that are issued without awaiting each other at once.
    pipeline: true,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, silenceMs),
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    // PostgreSQL ends a statement at its time-out. On a connection that was lost only the driver can.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + silenceMs,
  };
  const pool = new pg.Pool(config);
  // Without a listener a connection that breaks would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const breaker = createBreaker(pool, config, silenceMs);
  const isFull = (): boolean => pool.idleCount === 0 && pool.totalCount >= max;
  let isExhausted = false;

  async function connect(): Promise<pg.PoolClient> {
    if (breaker.isOpen) throw new UnavailableError('the database does not answer');
    if (isExhausted && isFull()) throw new UnavailableError('all database connections are in use');
    try {
      const client = await pool.connect();
      isExhausted = false;
      return client;
    } catch (error) {
      isExhausted = isFull();
      breaker.isProbeWanted = true;
      throw error;
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
      return client.query(statement).finally(() => client.release());
    },
    end: () => {
      breaker.stop();
      return pool.end();
    },
  };
}
