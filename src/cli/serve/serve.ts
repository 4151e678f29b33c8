import { buildApp } from '../../app/index.ts';
import { readLogBytes, readMostRefusedBytes } from '../../imports/index.ts';
import {
  buildLocalUrl,
  describeUnknownSettings,
  readCertificates,
  readConfig,
  readNamedFile,
  type Config,
} from '../../platform/config/index.ts';
import { isMissingRight } from '../../platform/database/index.ts';
import { requireWritable } from '../../media/index.ts';
import { describeError } from '../../platform/http/index.ts';
import { loadMetrics, loadTraces } from '../../platform/telemetry/index.ts';
import { createSweeper, type ClockJump, type FailedStep } from '../../sweeps/index.ts';
import { createWriteError } from '../command-error.ts';
import { createListenError, reservePort } from './listen.ts';
import { print } from '../output.ts';
import { isWorker, openService, type ServiceProcess } from './service-process.ts';
import { showStartLinks } from './start-links.ts';
import { drainAndClose, onStopSignals, waitUntilAborted } from './stop.ts';
import {
  answerPings,
  joinFirstProcess,
  SHARED_PORT,
  startWorkers,
  type ReadWorkers,
} from './workers.ts';

interface ServeOptions {
  port?: string;
  host?: string;
  demo?: boolean;
}

/** Runs the service until a signal stops it. */
export async function serve({ port, host, demo = false }: ServeOptions): Promise<void> {
  const stop = onStopSignals();
  const [config, releasePort] = await choosePort(readConfig({ port, host }));
  if (isWorker(config)) {
    // `unref` lets a worker exit when it cannot start or has stopped, although its channel to the first process is open.
    process.channel?.unref();
    answerPings();
  }
  try {
    requireTracesFiles(config);
    await using resources = new AsyncDisposableStack();
    const service = await openService(config, stop, resources);
    await (isWorker(config) ? serveAsWorker(service) : serveAsFirst(service, demo, releasePort));
  } catch (error) {
    // Do not report an error that the stop itself causes.
    if (!stop.stopping.aborted) throw error;
    // The connection of a stopped migration would keep the process alive.
    process.exit();
  }
}

/**
 * Chooses the port before the start, because responses contain URLs with the port, and workers share it. It also finds a port that
 * is in use before the database is opened and the demo is loaded. A start can take seconds: a port that the system chose stays
 * reserved until the service listens on it, or the system could give it to another process.
 */
async function choosePort(config: Config): Promise<[Config, releasePort?: () => void]> {
  if (isWorker(config)) return [config];
  const { host, port } = config;
  const sharing = config.workerCount > 1 ? SHARED_PORT : {};
  // A port that is in use by another service may still be shared with it. So this tries the port alone first.
  if (port !== 0) (await reservePort({ host, port })).release();
  const reserved = await reservePort({ host, port, ...sharing });
  if (port !== 0) reserved.release();
  return [readConfig({ host, port: String(reserved.port) }), reserved.release];
}

/** Checks the certificate files for the collector: the exporter silently ignores a file that it cannot read. */
function requireTracesFiles({ tracesEndpoint, tracesFiles }: Config): void {
  if (tracesEndpoint === null) return;
  for (const { name, file } of tracesFiles)
    (name.endsWith('_KEY') ? readNamedFile : readCertificates)(`${name} must name`, file);
}

async function serveAsWorker(service: ServiceProcess): Promise<void> {
  await startApp(service);
  joinFirstProcess(service.metrics);
  await waitUntilAborted(service.stop.stopping);
}

async function serveAsFirst(
  service: ServiceProcess,
  withDemo: boolean,
  releasePort?: () => void,
): Promise<void> {
  const { config, logger, stop, db, metrics } = service;
  for (const line of await describeUnknownSettings()) logger.warn(line);
  await requireWritable(config.mediaDir).catch((error: NodeJS.ErrnoException) => {
    const { message } = createWriteError(config.mediaDir, error);
    logger.warn(`${message}. No picture can be stored; OFFPLAN_MEDIA_DIR can name another folder.`);
  });
  const demo = withDemo ? await import('./demo.ts') : undefined;
  const demoKeys = await demo?.loadDemo(service);
  let readWorkers: ReadWorkers | undefined;
  await serveMetrics(service, async () => readWorkers?.());
  if (config.workerCount > 1) {
    readWorkers = await startWorkers(service);
    releasePort?.();
  } else await startApp(service, releasePort);
  metrics?.addImportLog({
    readBytes: () => readLogBytes(db),
    readRefusedShare: async () =>
      (await readMostRefusedBytes(db)) / Math.max(config.importLogRefusedBytes, 1),
  });
  startSweeper(service);
  try {
    await print(describeUrls(config));
    await showStartLinks(db, config.publicUrl, demo?.DEMO_SLUG);
    await demo?.showDemo(db, config.publicUrl, demoKeys ?? null);
  } catch (error) {
    if (stop.stopping.aborted || isMissingRight(error)) throw error;
    // The service answers requests already, so it goes on without these lines: stdout is closed, or the database is away.
    logger.warn(describeError(error), 'how to sign in was not printed; the next start prints it');
  }
  await waitUntilAborted(stop.stopping);
  logger.info('Stopping.');
}

/** Starts the work that deletes old rows and unused pictures. */
function startSweeper({ config, logger, db, resources }: ServiceProcess): void {
  const onError = (error: unknown, failed?: FailedStep): void => {
    const message = failed
      ? 'a step of the sweep failed for one account; the next sweep runs it again'
      : 'the sweep failed; the next one runs in an hour';
    logger.warn({ ...describeError(error), ...failed }, message);
  };
  const onJump = ({ lastSweptAt, waitMs }: ClockJump): void =>
    logger.warn(
      { lastSweptAt, waitHours: Math.ceil(waitMs / 3_600_000) },
      'the clock is more than a day past the last sweep: nothing is deleted while it may be wrong',
    );
  resources.defer(createSweeper(db, config, { onError, onJump }));
}

/** Serves the metrics of this process and of the workers to Prometheus. */
async function serveMetrics(
  { config, metrics, resources }: ServiceProcess,
  readWorkers: () => Promise<Awaited<ReturnType<ReadWorkers>> | undefined>,
): Promise<void> {
  if (metrics === undefined) return;
  const { listenForScrapes, renderMetrics } = await loadMetrics();
  const address = { host: config.metricsHost, port: config.metricsPort ?? 0 };
  const readAll = async () => renderMetrics(await metrics.read(), await readWorkers());
  const endpoint = await listenForScrapes(address, readAll).catch((error: unknown) => {
    throw createListenError(error, address, 'OFFPLAN_METRICS_PORT');
  });
  resources.defer(endpoint.close);
}

/** Builds the app in this process, and listens. Calls `releasePort` right before it listens. */
async function startApp(service: ServiceProcess, releasePort?: () => void): Promise<void> {
  const { config, logger, stop, resources } = service;
  const { host, port, tracesEndpoint, tracesShare: share, tracesDelayMs: delayMs } = config;
  const { startTraces } = tracesEndpoint === null ? {} : await loadTraces();
  const traces = startTraces?.({ share, delayMs, logger });
  if (traces) resources.defer(traces.close);
  const giveUp = new AbortController();
  const shutdown = { stopping: stop.stopping, givingUp: giveUp.signal };
  const app = await buildApp({ ...service, traces, shutdown });
  // Close the app even when it cannot listen: its connection to Redis would keep the process alive.
  resources.defer(() => drainAndClose(app, stop, giveUp));
  const sharing = isWorker(config) ? SHARED_PORT : {};
  releasePort?.();
  await app.listen({ host, port, ...sharing }).catch((error: unknown) => {
    throw createListenError(error, config);
  });
}

function describeUrls(config: Config): string {
  const local = buildLocalUrl(config);
  const { publicUrl } = config;
  const lines = [
    `Offplan is listening on ${local} (console: ${publicUrl}/, reference: ${local}/docs)`,
  ];
  if (publicUrl !== local) lines.push(`Its public URL is ${publicUrl}`);
  return lines.map((line) => `${line}\n`).join('');
}
