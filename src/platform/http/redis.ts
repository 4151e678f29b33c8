import type { RedisClientType } from '@redis/client';
import type { Logger } from 'pino';
import { loggable } from './log.ts';

/** How long a request waits for Redis. */
const COMMAND_TIMEOUT_MS = 250;
/** A Redis that answers nothing for so long counts as gone, and requests do not wait for it. */
const SOCKET_TIMEOUT_MS = 1_000;
const PING_EVERY_MS = 500;
const RECONNECT_EVERY_MS = 1_000;

/** Connects to Redis or Valkey in the background, again and again until it answers. Its driver is loaded on demand. */
export async function connectRedis(url: string, logger: Logger): Promise<RedisClientType> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_EVERY_MS,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      connectTimeout: SOCKET_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: RECONNECT_EVERY_MS,
    },
  });
  let isLost = false;
  client.on('error', (error) => {
    if (!isLost)
      logger.warn(loggable(error), 'Redis does not answer; limits are counted here alone');
    isLost = true;
  });
  client.on('ready', () => {
    if (isLost) logger.info('Redis answers; limits are counted there again');
    isLost = false;
  });
  // The listener above has the error.
  client.connect().catch(() => undefined);
  return client;
}
