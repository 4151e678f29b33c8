import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { until } from './until.ts';

/** Finds a port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  const socket = createServer();
  await once(socket.listen(0, '127.0.0.1'), 'listening');
  const { port } = socket.address() as AddressInfo;
  await once(socket.close(), 'close');
  return port;
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
