import type { Logger } from 'pino';
import { buildApp } from '../app.ts';
import { createSweeper } from '../imports/index.ts';
import { localUrl, readConfig, type Config } from '../platform/config/index.ts';
import { REQUEST_LIMITS, type Pool } from '../platform/database/index.ts';
import { createLogger, loggable, type Server } from '../platform/http/index.ts';
import { loadMetrics, loadTraces, type Metrics, type Traces } from '../platform/telemetry/index.ts';
import { openDatabase } from './database.ts';
import { loadDemo, showDemo } from './demo.ts';
import { cannotListen, probePort } from './listen.ts';
import { print } from './output.ts';
import { drainAndClose, onStopSignals, waitUntilAborted, type Stop } from './stop.ts';
import { announceListening, isWorker, runAsWorker, SHARED_PORT } from './worker.ts';
import { startWorkers, type Workers } from './workers.ts';

interface ServeOptions {
  port?: string;
  host?: string;
  demo?: boolean;
}

export interface Service {
  /** Answers the requests in flight and stops: after the drain, or at once when it has to hurry. */
  close: (hurrying: AbortSignal) => Promise<void>;
}

/** Runs the service until a signal stops it. */
export async function serve({ port, host, demo = false }: ServeOptions): Promise<void> {
  const stop = onStopSignals();
  const config = await settlePort(readConfig({ port, host }));
  try {
    await (isWorker(config)
      ? runAsWorker(() => runWorker(config, stop))
      : runFirstProcess(config, stop, demo));
  } catch (error) {
    // An error that the stop itself causes is not reported.
    if (!stop.stopping.aborted) throw error;
  }
}

// The port is settled first: answers contain URLs with it, and workers that share it would not find it in use.
async function settlePort(config: Config): Promise<Config> {
  const isUnknown = config.port === 0 || config.workers > 1;
  if (!isUnknown || isWorker(config)) return config;
  return readConfig({ host: config.host, port: String(await probePort(config)) });
}

async function runFirstProcess(config: Config, stop: Stop, demo: boolean): Promise<void> {
  const logger = createLogger(config.logLevel);
  const note = (text: string): void => logger.info(text);
  const database = await openServiceDatabase(config, logger, note);
  const db = database.pools.lookups;
  try {
    if (demo) await loadDemo(db, note);
    const service = await startService(config, db, logger, stop);
    await whileSweeping(config, db, logger, async () => {
      await print(describeUrls(config));
      if (demo) await showDemo(db, config.publicUrl);
      await waitUntilAborted(stop.stopping);
      logger.info('Stopping.');
      await service.close(stop.hurrying);
    });
  } finally {
    await database.close();
  }
}

async function runWorker(config: Config, stop: Stop): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database = await openServiceDatabase(config, logger, () => undefined);
  const db = database.pools.lookups;
  try {
    const metrics = await createMetrics(config, db);
    const service = await startApp(config, db, { logger, stop, metrics });
    await announceListening(metrics);
    await waitUntilAborted(stop.stopping);
    await service.close(stop.hurrying);
  } finally {
    await database.close();
  }
}

function openServiceDatabase(config: Config, logger: Logger, note: (text: string) => void) {
  return openDatabase(config, {
    limits: REQUEST_LIMITS,
    onError: () => logger.warn('an idle database connection was lost'),
    note,
  });
}

/** Starts the service in this process or in workers, and the endpoint of its metrics. */
async function startService(
  config: Config,
  db: Pool,
  logger: Logger,
  stop: Stop,
): Promise<Service> {
  const metrics = await createMetrics(config, db);
  const workers = config.workers > 1 ? await startWorkers(config, logger) : undefined;
  const service = workers ?? (await startApp(config, db, { logger, stop, metrics }));
  if (metrics === undefined) return service;
  try {
    const endpoint = await startMetricsEndpoint(config, metrics, workers);
    return {
      close: async (hurrying) => {
        await service.close(hurrying);
        endpoint.close();
      },
    };
  } catch (error) {
    await service.close(AbortSignal.abort());
    throw error;
  }
}

async function createMetrics({ metricsPort }: Config, db: Pool): Promise<Metrics | undefined> {
  return metricsPort === null ? undefined : (await loadMetrics()).createMetrics(db);
}

async function startMetricsEndpoint(
  { metricsHost: host, metricsPort }: Config,
  metrics: Metrics,
  workers: Workers | undefined,
) {
  const { listenForScrapes, renderMetrics } = await loadMetrics();
  const address = { host, port: metricsPort ?? 0 };
  const readAll = async (): Promise<string> =>
    renderMetrics(await metrics.read(), await workers?.readMetrics());
  return listenForScrapes(address, readAll).catch((error: unknown) => {
    throw cannotListen(error, address, 'OFFPLAN_METRICS_PORT');
  });
}

interface AppParts {
  logger: Logger;
  stop: Stop;
  metrics: Metrics | undefined;
}

/** Builds the app in this process, and listens. */
async function startApp(
  config: Config,
  db: Pool,
  { logger, stop: { stopping }, metrics }: AppParts,
): Promise<Service> {
  const traces = await startTraces(config, logger);
  const giveUp = new AbortController();
  const shutdown = { stopping, givingUp: giveUp.signal };
  const app = await buildApp({ config, db, logger, metrics, traces, shutdown });
  try {
    await listen(app, config);
  } catch (error) {
    // An open connection of the app, such as the one to Redis, would keep the process alive.
    await app.close();
    await traces?.close();
    throw error;
  }
  return {
    close: async (hurrying) => {
      await drainAndClose(app, { hurrying, giveUp });
      await traces?.close();
    },
  };
}

async function startTraces(
  { tracesEndpoint, tracesShare: share, tracesDelayMs: delayMs }: Config,
  logger: Logger,
): Promise<Traces | undefined> {
  if (tracesEndpoint === null) return undefined;
  return (await loadTraces()).startTraces({ share, delayMs, logger });
}

async function listen(app: Server, config: Config): Promise<void> {
  const { host, port } = config;
  try {
    await app.listen({ host, port, ...(isWorker(config) && SHARED_PORT) });
  } catch (error) {
    throw cannotListen(error, config);
  }
}

/** Sweeps the import log during the work. At the end it waits for the sweep in progress. */
async function whileSweeping(
  { importLogDays: logDays }: Config,
  db: Pool,
  logger: Logger,
  work: () => Promise<void>,
): Promise<void> {
  const stopSweeper = createSweeper(db, {
    logDays,
    onError: (error) => logger.warn(loggable(error), 'the log of imports was not swept'),
  });
  try {
    await work();
  } finally {
    await stopSweeper();
  }
}

function describeUrls(config: Config): string {
  const local = localUrl(config);
  const { publicUrl } = config;
  const lines = [`Offplan is listening on ${local} (reference: ${local}/docs)`];
  if (publicUrl !== local) lines.push(`Its public URL is ${publicUrl}`);
  return lines.map((line) => `${line}\n`).join('');
}
