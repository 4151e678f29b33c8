import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/index.ts';
import {
  REQUEST_TIMEOUTS,
  requireTimeouts,
  type Pool,
  type Pools,
} from '../../platform/database/index.ts';
import { createLogger, describeError } from '../../platform/http/index.ts';
import { loadMetrics, type Metrics } from '../../platform/telemetry/index.ts';
import { openDatabase } from '../database.ts';
import { loadSecretKey } from '../secret-key.ts';
import { waitUntilAborted, type StopSignals } from './stop.ts';

/** The parts that each process of the service has: the only process, the first process, and a worker. */
export interface ServiceProcess extends Pick<Pools, 'findPool' | 'lists' | 'exports' | 'listen'> {
  config: Config;
  logger: Logger;
  stop: StopSignals;
  db: Pool;
  openCommandPool: () => Pool;
  /** The key that encrypts secrets; null when there is none. */
  secretKey: Buffer | null;
  metrics: Metrics | undefined;
  /** The stack that closes all resources of the process at its end, in reverse order. */
  resources: AsyncDisposableStack;
}

/** Returns whether `startWorkers` started this process. With one worker, a process manager such as PM2 may have used node:cluster. */
export function isWorker({ workerCount }: Config): boolean {
  return cluster.isWorker && workerCount > 1;
}

/** Opens the database and all other resources of a process of the service. `resources` closes them. */
export async function openService(
  config: Config,
  stop: StopSignals,
  resources: AsyncDisposableStack,
): Promise<ServiceProcess> {
  const logger = createLogger(config.logLevel);
  const { pools, dataDir, openCommandPool, prepare, close } = await openDatabase(config, {
    timeouts: REQUEST_TIMEOUTS,
    signal: stop.stopping,
    onError: (error) => logger.warn(describeError(error), 'an idle database connection was lost'),
    note: (text, level = 'info') => (isWorker(config) ? undefined : logger[level](text)),
  });
  resources.defer(close);
  // Closing the database ends a migration, which may take long.
  await Promise.race([prepare(), waitUntilAborted(stop.stopping)]);
  stop.stopping.throwIfAborted();
  const db = pools.lookups;
  await requireTimeouts(db);
  const secretKey = await loadSecretKey(config, dataDir);
  const metrics = config.metricsPort === null ? undefined : (await loadMetrics()).createMetrics(db);
  return {
    ...pools,
    config,
    logger,
    stop,
    db,
    openCommandPool,
    secretKey,
    metrics,
    resources,
  };
}
