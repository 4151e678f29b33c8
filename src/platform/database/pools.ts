import type pg from 'pg';
import { openListener, type Listen } from './listener.ts';
import { openPool, toClientConfig, type Pool } from './pool.ts';
import { openStreamConnection, type StreamConnection } from './stream.ts';
import type { Timeouts } from './timeouts.ts';
import {
  createWorkerPools,
  listWorkers,
  type FindPool,
  type WorkerAddress,
} from './worker-pools.ts';

/**
 * PostgreSQL plans each list for its values. Lists are too short for the JIT compiler and parallel workers to pay. `work_mem` is
 * for lists that sort or hash many contacts. The default cost of a random page is that of a spinning disk, for which PostgreSQL
 * would read whole tables instead of the indexes of the lists.
 */
const LIST_SERVER_OPTIONS =
  '-c plan_cache_mode=force_custom_plan -c jit=off -c max_parallel_workers_per_gather=0' +
  ' -c work_mem=32MB -c random_page_cost=1.1';

/** On a worker of Citus, shows the tables that have the rows. Citus hides these shards from the catalog by default. */
const WORKER_SERVER_OPTIONS = '-c citus.show_shards_for_app_name_prefixes=*';

const LOOKUP_CONNECTIONS = 8;
/** The most connections that a process opens to each worker of a Citus. */
export const WORKER_CONNECTIONS = LOOKUP_CONNECTIONS;
/** The most lists and reports that a process runs at once. */
export const LIST_CONNECTIONS = 4;
/** The most exports that a process makes at once. */
export const EXPORT_CONNECTIONS = 4;
/** The most connections that a process opens: those of its pools, and the one that listens. */
export const PROCESS_CONNECTIONS = LOOKUP_CONNECTIONS + LIST_CONNECTIONS + EXPORT_CONNECTIONS + 1;
/** How long the connection of an export may be idle: while its reader takes the last rows, it sends nothing. */
const EXPORT_IDLE_TIMEOUT_MS = 10 * 60_000;

/** A worker of Citus, with a pool of one connection that sees the shards. The caller ends the pool. */
export interface CitusWorker {
  /** As the coordinator knows it: HOST:PORT. */
  address: string;
  pool: Pool;
}

/**
 * The pools of a process, and ways to open connections outside them. A pool opens a connection only when a statement needs one.
 */
export interface Pools {
  /** Finds rows by their keys, and runs the fixed statements of requests. */
  lookups: Pool;
  /** Finds the pool for the keys, sessions and leads of an account: `lookups`, or that of a worker of Citus. */
  findPool: FindPool;
  /** Runs lists, search and reports. */
  lists: Pool;
  /** Reads exports. An export keeps its connection until its reader has read it to the end, and lists must not wait for that. */
  exports: Pool;
  /** Opens a pool on each worker of a Citus, to look at the servers. There are none on plain PostgreSQL. */
  openWorkers: () => Promise<CitusWorker[]>;
  /** Opens a connection for COPY. The caller ends it. */
  openStream: () => Promise<StreamConnection>;
  /** Listens to notifications, on a connection of its own. The caller closes it. */
  listen: Listen;
  end: () => Promise<void>;
}

/** Opens the pools on one database. */
export function openPools(
  connection: string | pg.ClientConfig,
  onError: (error: Error) => void,
  timeouts: Timeouts,
): Pools {
  const lookups = openPool(connection, onError, { ...timeouts, max: LOOKUP_CONNECTIONS });
  const lists = openPool(connection, onError, {
    ...timeouts,
    max: LIST_CONNECTIONS,
    serverOptions: LIST_SERVER_OPTIONS,
  });
  const exports = openPool(connection, onError, {
    ...timeouts,
    max: EXPORT_CONNECTIONS,
    idleTransactionTimeoutMs: EXPORT_IDLE_TIMEOUT_MS,
    serverOptions: LIST_SERVER_OPTIONS,
  });
  const workers = createWorkerPools(lookups, (address) =>
    openPool(toWorkerConfig(connection, address), onError, {
      ...timeouts,
      max: WORKER_CONNECTIONS,
      fallback: lookups,
    }),
  );
  async function openWorkers(): Promise<CitusWorker[]> {
    const addresses = await listWorkers(lookups);
    return addresses.map((address) => ({
      address: `${address.host}:${address.port}`,
      pool: openPool(toWorkerConfig(connection, address), onError, {
        ...timeouts,
        max: 1,
        serverOptions: WORKER_SERVER_OPTIONS,
      }),
    }));
  }

  const openStream = () => openStreamConnection(toClientConfig(connection), timeouts.lockTimeoutMs);
  const listen: Listen = (channel, onNotify) =>
    openListener(toClientConfig(connection), timeouts, channel, onNotify);
  const end = async () =>
    void (await Promise.all([workers, lookups, lists, exports].map((pool) => pool.end())));
  const { findPool } = workers;
  return { lookups, findPool, lists, exports, openWorkers, openStream, listen, end };
}

/** Makes the configuration of a connection to a worker of Citus: that of the coordinator, with another address. */
function toWorkerConfig(
  connection: string | pg.ClientConfig,
  { host, port }: WorkerAddress,
): pg.ClientConfig {
  const config = toClientConfig(connection);
  if (config.connectionString === undefined) return { ...config, host, port };
  const url = new URL(config.connectionString);
  // As parameters, which the driver prefers: a host may be an IPv6 address or the folder of a socket.
  url.searchParams.set('host', host);
  url.searchParams.set('port', String(port));
  return { ...config, connectionString: url.toString() };
}
