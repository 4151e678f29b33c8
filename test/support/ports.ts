import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { until } from './until.ts';

/**
 * Finds a port of 127.0.0.1 on which nothing listens. It is below the ports that the system gives to connections and to sockets that
 * ask for any port, so that none of them takes it before the test does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const socket = createServer();
    const isFree = await once(socket.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    socket.close();
    if (isFree) return port;
  }
}

/** Waits until something listens on a port of 127.0.0.1. */
export async function untilListening(port: number): Promise<void> {
  await until(async () => {
    const socket = connect({ host: '127.0.0.1', port });
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isThere;
  });
}
