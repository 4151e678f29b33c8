import pg from 'pg';
import { isConnectionDead, isTransient, UnavailableError } from './errors.ts';
import type { Limits } from './limits.ts';
import { query, traced, type Queryable, type Statement } from './query.ts';
import { watch } from './watchdog.ts';

export interface Pool extends Queryable {
  readonly totalCount: number;
  readonly idleCount: number;
  /** How much work waits for a connection. */
  readonly waitingCount: number;
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

interface PoolOptions extends Partial<Limits> {
  /** How many connections at the most. */
  max?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;

/*
 * PostgreSQL plans each statement once for each connection: planning a statement with an array again takes several
 * times as long as running it. A table may be small when the plan is made and grow afterwards, so the plan uses an
 * index wherever there is one.
 */
const LOOKUP_SETTINGS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

/** Lists are planned for the values that they get. None is long enough to compile. */
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

/** Opens one pool. */
export function openPool(
  connection: string | pg.ClientConfig,
  onError: (error: Error) => void,
  options: PoolOptions = {},
  settings = LOOKUP_SETTINGS,
): Pool {
  const { max = 10, statementTimeoutMs, lockTimeoutMs, idleTransactionTimeoutMs } = options;
  const { silenceMs = Infinity } = options;
  const isNeverIdle = idleTransactionTimeoutMs !== undefined;
  // PostgreSQL gives a statement up; when the connection itself is dead, only we can.
  const patienceMs = (statementTimeoutMs ?? Infinity) + silenceMs;
  const base = typeof connection === 'string' ? { connectionString: connection } : connection;
  const config = { ...base, application_name: 'offplan' };
  const pool = new pg.Pool({
    ...config,
    max,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, silenceMs),
    keepAlive: true,
    // What is asked without waiting goes out without waiting, and is answered in order.
    pipeline: true,
    options: settings,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    // A timer for each statement keeps what it was sent with for long: only where the watchdog cannot tell.
    ...(!isNeverIdle && patienceMs !== Infinity && { query_timeout: patienceMs }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
    ...(idleTransactionTimeoutMs !== undefined && {
      idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    }),
  });
  // Without a listener a connection that breaks would end the process: an idle one, and one that is just handed over.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (silenceMs === Infinity) return pool;
  const { refusal, stop } = watch({ pool, config, max, silenceMs, patienceMs, isNeverIdle });
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
    query: (statement) => refusal() ?? pool.query(statement),
    connect: () => refusal() ?? pool.connect(),
    end: () => {
      stop();
      return pool.end();
    },
  };
}

type Isolation = 'read committed' | 'repeatable read, read only';

/** The outcome of a COMMIT is not known: the connection broke before the answer. Repeating is safe. */
class CommitUnknownError extends UnavailableError {}

/**
 * Runs `work` in a transaction on a connection of its own: committed when it returns, rolled back when it
 * throws.
 */
export function transaction<T>(
  pool: Pool,
  work: (tx: Queryable) => Promise<T>,
  isolation: Isolation = 'read committed',
): Promise<T> {
  return onConnection(pool, async (client) => {
    await client.query(`begin isolation level ${isolation}`);
    const result = await work(client);
    await commit(client);
    return result;
  });
}

/** The work of a transaction that goes to PostgreSQL twice. */
interface Exchange<Found, Result> {
  /** What is sent with BEGIN. It may lock and look, and write nothing that must not stand if BEGIN should fail. */
  read: (tx: Queryable) => Promise<Found>;
  /**
   * What is sent with COMMIT, and what came of it. Each value is a text, bytes or null, or the driver could refuse to
   * send a statement while the COMMIT behind it succeeds.
   */
  decide: (tx: Queryable, found: Found) => Promise<{ result: Result; statements: Statement[] }>;
}

/** Runs a transaction in two round trips, and those that `decide` makes. */
export function exchange<Found, Result>(
  pool: Pool,
  { read, decide }: Exchange<Found, Result>,
): Promise<Result> {
  return onConnection(pool, async (client) => {
    const [, found] = await settled(
      inOnePacket(
        client,
        () => [client.query('begin isolation level read committed'), read(client)] as const,
      ),
    );
    const { result, statements } = await decide(client, found);
    await settled(
      inOnePacket(client, () => [
        ...statements.map(({ name, sql }) => query(client, name, sql)),
        commit(client),
      ]),
    );
    return result;
  });
}

/** What all of them gave, when none is under way any more. */
async function settled<T extends readonly Promise<unknown>[]>(sent: T) {
  const ends = await Promise.allSettled(sent);
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  // What failed first is why the others did; but when it is not known what was committed, that is what matters.
  if (errors.length > 0)
    throw errors.find((error) => error instanceof CommitUnknownError) ?? errors[0];
  return Promise.all(sent);
}

// The driver writes each statement to the socket by itself, which costs more than all that is in it.
function inOnePacket<T>({ connection: { stream } }: pg.PoolClient, send: () => T): T {
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

async function onConnection<T>(
  pool: Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  try {
    return await work(client);
  } catch (error) {
    broken ??= await rollback(client, error);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await traced('commit', () => client.query('commit')).catch(
    (error: unknown) => {
      if (error instanceof pg.DatabaseError) throw error;
      throw new CommitUnknownError('the connection was lost in COMMIT', { cause: error });
    },
  );
  // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, which is no error to the driver.
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
}

async function rollback(client: pg.PoolClient, reason: unknown): Promise<Error | undefined> {
  if (reason instanceof CommitUnknownError) return reason;
  // A ROLLBACK would queue behind the statement that a dead connection never answers.
  if (isConnectionDead(reason)) return reason;
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const RETRIES = 4;

/** Runs `work` again when PostgreSQL chose it to give way (a deadlock, a serialization failure). */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === RETRIES || !isTransient(error)) throw error;
    }
  }
}
