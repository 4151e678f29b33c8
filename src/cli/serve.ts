import { createServer as createSocket, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { buildApp } from '../app.ts';
import { readConfig, type Config } from '../config.ts';
import { createSweeper } from '../contacts/log/sweeper.ts';
import type { Pool } from '../database/pool.ts';
import { createLogger, loggable } from '../http/log.ts';
import type { Server } from '../http/server.ts';
import { CommandError, type Command } from './command.ts';
import { openDatabase } from './database.ts';
import { loadDemo, showDemo } from './demo.ts';
import { print } from './output.ts';

const STATEMENT_TIMEOUT_MS = 30_000;
// Long enough for another server that loads the demo at the same start.
const LOCK_TIMEOUT_MS = 3_000;
const CLOSE_TIMEOUT_MS = 10_000;

export const serve: Command = {
  usage: 'serve [--port N] [--host H] [--demo]',
  summary: 'Runs the service until Ctrl-C or SIGTERM.',
  options: {
    port: { type: 'string', help: 'The port to listen on instead of PORT; 0 chooses a free one.' },
    host: { type: 'string', help: 'The address to listen on instead of HOST.' },
    demo: { type: 'boolean', help: 'Loads the demo account when there is no account at all.' },
  },
  async run({ flags, config }) {
    const stop = stopSignal();
    const settled = config.port === 0 ? await withFreePort(config) : config;
    await run(settled, flags['demo'] === true, stop.received).catch((error: unknown) => {
      // What fails because the user stops it is no fault to speak of.
      if (!stop.wasReceived()) throw error;
    });
  },
};

async function run(config: Config, demo: boolean, stopped: Promise<void>): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database = await openDatabase(config, {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    onError: () => logger.warn('an idle database connection was lost'),
    note: (text) => logger.info(text),
  });
  try {
    const db = database.pool;
    if (demo) await loadDemo(db, (text) => logger.info(text));
    const app = await buildApp({ config, db, logger });
    await listen(app, config);
    await whileSweeping(db, config, logger, async () => {
      await print(
        `Offplan is listening on ${config.publicUrl} (reference: ${config.publicUrl}/docs)\n`,
      );
      if (demo) await showDemo(db, config.publicUrl);
      await stopped;
      logger.info('Stopping.');
      await closeWithin(app, CLOSE_TIMEOUT_MS);
    });
  } finally {
    await database.close();
  }
  // A database connection that is dead, but not told so, would keep the process.
  setTimeout(() => process.exit(), CLOSE_TIMEOUT_MS).unref();
}

// What the sweeper is at when the work ends is waited for.
async function whileSweeping(
  db: Pool,
  { importLogDays: logDays }: Config,
  logger: FastifyBaseLogger,
  work: () => Promise<void>,
): Promise<void> {
  const stopSweeper = createSweeper(db, {
    logDays,
    onError: (error) => logger.warn(loggable(error), 'the log of imports was not swept'),
  });
  try {
    await work();
  } finally {
    // A database connection that is dead, but not told so, would keep it for longer.
    await Promise.race([stopSweeper(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

async function listen(app: Server, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const taken = `port ${port} on ${host} is in use; name another with --port or PORT`;
    throw new CommandError(
      code === 'EADDRINUSE' ? taken : `cannot listen on ${host}:${port}: ${code}`,
    );
  }
}

// Requests under way are answered; what has not ended by then is cut off.
async function closeWithin(app: Server, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  await app.close();
  clearTimeout(timer);
}

// Listens from the first moment on, so that a start that is interrupted also ends in order.
function stopSignal(): { received: Promise<void>; wasReceived: () => boolean } {
  let was = false;
  const received = new Promise<void>((resolve) => {
    const stop = (): void => {
      was = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
  return { received, wasReceived: () => was };
}

// The URLs in answers hold the port, so it is settled before the service is built.
async function withFreePort(config: Config): Promise<Config> {
  const port = await new Promise<number>((resolve, reject) => {
    const socket = createSocket().once('error', reject);
    socket.listen(0, config.host, () => {
      const { port: free } = socket.address() as AddressInfo;
      socket.close(() => resolve(free));
    });
  });
  return readConfig({ host: config.host, port: String(port) });
}
