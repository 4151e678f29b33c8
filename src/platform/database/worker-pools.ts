import { LRUCache } from 'lru-cache';
import sql from 'sql-template-tag';
import { isDistributed } from './distribute.ts';
import type { Pool } from './pool.ts';
import { query, type Queryable } from './query.ts';

/** The address of a worker of Citus, as the coordinator knows it. */
export interface WorkerAddress {
  host: string;
  port: number;
}

/** Finds the pool for work on one account. */
export type FindPool = (accountId: string) => Promise<Pool>;

/** How long the worker of an account is used before the coordinator is asked again. */
const TTL_MS = 10_000;
const MAX_ACCOUNTS = 10_000;

/**
 * On a Citus, sends work on one account to the worker that has the rows of the account. The coordinator then neither plans nor
 * passes on its statements. On plain PostgreSQL, and for a worker that this process has never reached, it finds the pool of
 * DATABASE_URL. Each worker knows where all rows are, so work that reaches the wrong one is only slower.
 *
 * When a worker hangs that has answered before, its accounts stay with it: the circuit breaker of its pool refuses their requests
 * within two seconds. The coordinator would wait for the worker until the time-out of the statement, and so block its connections.
 */
export function createWorkerPools(
  coordinator: Pool,
  openOn: (worker: WorkerAddress) => Pool,
): { findPool: FindPool; end: () => Promise<void> } {
  const pools = new Map<string, Pool>();
  // The pools of the workers that have answered.
  const reached = new Set<Pool>();
  const poolOf = new LRUCache<string, Pool>({
    // With `max` the cache would allocate its arrays for all accounts at once.
    maxSize: MAX_ACCOUNTS,
    sizeCalculation: () => 1,
    ttl: TTL_MS,
    // Use the last pool while the coordinator is asked again, and when it does not answer.
    allowStale: true,
    fetchMethod: (accountId, last) => findReachable(accountId).catch(() => last ?? coordinator),
  });
  let isOnCitus: boolean | undefined;

  async function findReachable(accountId: string): Promise<Pool> {
    isOnCitus ??= await isDistributed(coordinator);
    const worker = isOnCitus ? await findWorker(coordinator, accountId) : undefined;
    if (worker === undefined) return coordinator;
    const name = `${worker.host} ${worker.port}`;
    const pool = pools.get(name) ?? openOn(worker);
    pools.set(name, pool);
    if (!reached.has(pool)) {
      if (!(await hasAccount(pool, accountId))) return coordinator;
      reached.add(pool);
    }
    return pool;
  }

  return {
    findPool: async (accountId) => (await poolOf.fetch(accountId)) ?? coordinator,
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** Finds the worker that has the rows of an account. */
async function findWorker(
  coordinator: Pool,
  accountId: string,
): Promise<WorkerAddress | undefined> {
  const [worker] = await query<WorkerAddress>(
    coordinator,
    'citus_find_worker',
    sql`select nodename as host, nodeport as port
      from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('accounts', ${accountId}::uuid)
        and noderole = 'primary' and groupid <> 0`,
  );
  return worker;
}

/** Lists the workers of a Citus on which the tables of tenants are distributed; none on plain PostgreSQL. */
export async function listWorkers(coordinator: Queryable): Promise<WorkerAddress[]> {
  if (!(await isDistributed(coordinator))) return [];
  return query<WorkerAddress>(
    coordinator,
    'citus_list_workers',
    sql`select nodename as host, nodeport as port from pg_dist_node
      where noderole = 'primary' and groupid <> 0 order by nodename, nodeport`,
  );
}

/** Whether a server has an account. From here, the address of a worker may lead to another server. */
async function hasAccount(db: Pool, accountId: string): Promise<boolean> {
  const rows = await query(
    db,
    'citus_has_account',
    sql`select from accounts where account_id = ${accountId}`,
  );
  return rows.length > 0;
}
