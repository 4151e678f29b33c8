import { once } from 'node:events';
import { createServer as createSocket, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { buildApp } from '../app.ts';
import { localUrl, readConfig, type Config } from '../platform/config/index.ts';
import { createSweeper } from '../imports/index.ts';
import { REQUEST_LIMITS, type Pool } from '../platform/database/index.ts';
import { createLogger, loggable, type Server } from '../platform/http/index.ts';
import {
  listenForScrapes,
  merged,
  createMetrics,
  type Metrics,
  type Traces,
} from '../platform/telemetry/index.ts';
import { CommandError, type Command } from './command.ts';
import { openDatabase } from './database.ts';
import { loadDemo, showDemo } from './demo.ts';
import { collectEarly } from './heap.ts';
import { print } from './output.ts';
import { aborted, onStopSignals, type Stop } from './stop.ts';
import {
  answerScrapes,
  asWorker,
  isWorker,
  nowListening,
  SHARED_PORT,
  startWorkers,
  type Service,
} from './workers.ts';

/** For how long requests are still taken after SIGTERM, so that a load balancer sees `/readyz` and sends no more. */
const DRAIN_MS = 3_000;
/** After how long requests that are still under way are answered with a 503 then. */
const GIVE_UP_MS = 4_000;
/** How long their clients have to take that, before they are cut off. */
const LINGER_MS = 500;
const IDLE_LOOK_MS = 100;

export const serve: Command = {
  usage: 'serve [--port N] [--host H] [--demo]',
  summary: 'Runs the service until Ctrl-C or SIGTERM.',
  options: {
    port: { type: 'string', help: 'The port to listen on instead of PORT; 0 chooses a free one.' },
    host: { type: 'string', help: 'The address to listen on instead of HOST.' },
    demo: { type: 'boolean', help: 'Loads the demo account when there is no account at all.' },
  },
  async run({ flags, config }) {
    collectEarly();
    const stop = onStopSignals();
    const settled = config.port === 0 ? await withFreePort(config) : config;
    // Those who share a port do not find it in use; whoever else has it is noticed here.
    if (settled.workers > 1 && !isWorker(settled)) await bindOnce(settled);
    const work = isWorker(settled)
      ? asWorker(() => runWorker(settled, stop))
      : run(settled, flags['demo'] === true, stop);
    await work.catch((error: unknown) => {
      // What fails because the user stops it is no fault to speak of.
      if (!stop.stopping.aborted) throw error;
    });
  },
};

async function run(config: Config, demo: boolean, stop: Stop): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database = await open(config, logger, (text) => logger.info(text));
  try {
    const db = database.pools.lookups;
    if (demo) await loadDemo(db, (text) => logger.info(text));
    const service = await startServing(config, db, logger, stop);
    await whileSweeping(db, config, logger, async () => {
      await print(whereItIs(config));
      if (demo) await showDemo(db, config.publicUrl);
      await aborted(stop.stopping);
      logger.info('Stopping.');
      await service.close(stop.hurrying);
    });
  } finally {
    await database.close();
  }
}

function whereItIs(config: Config): string {
  const local = localUrl(config);
  const { publicUrl } = config;
  const lines = [`Offplan is listening on ${local} (reference: ${local}/docs)`];
  if (publicUrl !== local) lines.push(`Its public URL is ${publicUrl}`);
  return lines.map((line) => `${line}\n`).join('');
}

// A worker serves; all that is done once is done by the process that started it.
async function runWorker(config: Config, stop: Stop): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database = await open(config, logger, () => undefined);
  try {
    const metrics = config.metricsPort === null ? undefined : createMetrics(database.pools.lookups);
    const service = await startService(config, database.pools.lookups, { logger, stop, metrics });
    await nowListening();
    if (metrics) answerScrapes(metrics);
    await aborted(stop.stopping);
    await service.close(stop.hurrying);
  } finally {
    await database.close();
  }
}

function open(config: Config, logger: Logger, note: (text: string) => void) {
  return openDatabase(config, {
    limits: REQUEST_LIMITS,
    onError: () => logger.warn('an idle database connection was lost'),
    note,
  });
}

/** Serves, in this process or in workers, and answers Prometheus for all of them. */
async function startServing(
  config: Config,
  db: Pool,
  logger: Logger,
  stop: Stop,
): Promise<Service> {
  const metrics = config.metricsPort === null ? undefined : createMetrics(db);
  const alone = config.workers === 1;
  const workers = alone ? undefined : await startWorkers(config, logger);
  const service = workers ?? (await startService(config, db, { logger, stop, metrics }));
  if (config.metricsPort === null || metrics === undefined) return service;
  const gather = async () =>
    merged(new Map([[0, metrics.gather()], ...((await workers?.scrape()) ?? [])]));
  const { metricsHost: host, metricsPort: port } = config;
  try {
    const endpoint = await listenForScrapes({ host, port }, gather);
    return {
      close: async (hurrying) => {
        await service.close(hurrying);
        endpoint.close();
      },
    };
  } catch (error) {
    await service.close(AbortSignal.abort());
    throw cannotListen(error, { host, port }, 'OFFPLAN_METRICS_PORT');
  }
}

async function startService(
  config: Config,
  db: Pool,
  { logger, stop, metrics }: { logger: Logger; stop: Stop; metrics: Metrics | undefined },
): Promise<Service> {
  const traces = await tracesOf(config, logger);
  const { stopping } = stop;
  const giveUp = new AbortController();
  const shutdown = { stopping, givingUp: giveUp.signal };
  const app = await buildApp({ config, db, logger, metrics, traces, shutdown });
  try {
    await listen(app, config);
  } catch (error) {
    // What the app holds open, Redis say, would keep the process.
    await app.close();
    await traces?.close();
    throw error;
  }
  return {
    close: async (hurrying) => {
      await sleep(DRAIN_MS, undefined, { signal: hurrying }).catch(() => undefined);
      await close(app, giveUp);
      await traces?.close();
    },
  };
}

// What sends traces is large, and loaded only where they are wanted.
async function tracesOf(
  { tracesEndpoint, tracesShare: share, tracesDelayMs: delayMs }: Config,
  logger: Logger,
): Promise<Traces | undefined> {
  if (tracesEndpoint === null) return undefined;
  const { startTraces } = await import('../platform/telemetry/traces.ts');
  return startTraces({ share, delayMs, logger });
}

// What the sweeper is at when the work ends is waited for.
async function whileSweeping(
  db: Pool,
  { importLogDays: logDays }: Config,
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

async function listen(app: Server, config: Config): Promise<void> {
  const { host, port } = config;
  try {
    await app.listen({ host, port, ...(isWorker(config) && SHARED_PORT) });
  } catch (error) {
    throw cannotListen(error, config, '--port or PORT');
  }
}

function cannotListen(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting: string,
): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new CommandError(`port ${port} on ${host} is in use; name another with ${setting}`);
  if (code === 'ENOTSUP')
    return new CommandError('this system cannot share a port; set OFFPLAN_WORKERS=1');
  return new CommandError(`cannot listen on ${host}:${port}: ${code}`);
}

// Requests under way are answered, and who does not take the answer is cut off. A connection whose answer was begun
// before anyone was told to leave it is idle after that, and would be waited for.
async function close(app: Server, giveUp: AbortController): Promise<void> {
  const late = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), GIVE_UP_MS + LINGER_MS);
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(late);
    clearTimeout(cutOff);
    clearInterval(idle);
  }
}

// The URLs in answers hold the port, so it is settled before the service is built.
async function withFreePort(config: Config): Promise<Config> {
  const port = await bindOnce(config);
  return readConfig({ host: config.host, port: String(port) });
}

/** Listens for a moment, to find a free port or to see that one is free. */
async function bindOnce(config: Config): Promise<number> {
  const socket = createSocket();
  try {
    await once(socket.listen(config.port, config.host), 'listening');
    return (socket.address() as AddressInfo).port;
  } catch (error) {
    throw cannotListen(error, config, '--port or PORT');
  } finally {
    socket.close();
  }
}
