import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Cleaner } from './harness.ts';

/**
 * `lost`: the connection closes without an answer. `cut`: it closes within the body. `held`: the answer never comes. `replaced`:
 * the answer is the 502 of a gateway.
 */
type Fault = 'lost' | 'cut' | 'held' | 'replaced';

/** A TCP proxy in front of the service that can lose answers. */
export interface LossyProxy {
  url: string;
  /** The faults of the next answers, in order. */
  faults: Fault[];
  /** Counts the requests that the service got. */
  count: () => number;
}

const BAD_GATEWAY =
  'HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n<p>Sorry</p>';

/** Starts a proxy to a service that listens at `url`. A request has to arrive in one packet. */
export async function startLossyProxy(t: Cleaner, url: string): Promise<LossyProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const faults: Fault[] = [];
  let requests = 0;

  function forward(client: Socket): void {
    const server = connect(Number(target.port), target.hostname);
    const end = () => void [client.destroy(), server.destroy()];
    for (const side of [client, server]) sockets.add(side.on('error', end).on('close', end));
    let fault: Fault | undefined;
    client.on('data', (chunk) => {
      requests += 1;
      fault = faults.shift();
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (fault === undefined) client.write(chunk);
      else if (fault === 'lost') end();
      else if (fault === 'cut') client.write(chunk.subarray(0, -2), end);
      else if (fault === 'replaced') client.end(BAD_GATEWAY);
    });
  }

  const listener = createServer(forward);
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, faults, count: () => requests };
}
