import { once } from 'node:events';
import { createServer } from 'node:http';
import { EXPOSITION_TYPE, exposition, type Family } from './exposition.ts';

/** Answers Prometheus, on a port of its own: who reaches that port needs no key, and clients do not reach it. */
export async function listenForScrapes(
  { host, port }: { host: string; port: number },
  gather: () => Promise<Family[]>,
): Promise<{ close: () => void }> {
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isAsked) response.writeHead(404).end();
    else
      gather().then(
        (families) =>
          response.writeHead(200, { 'content-type': EXPOSITION_TYPE }).end(exposition(families)),
        () => response.writeHead(500).end(),
      );
  });
  await once(server.listen(port, host), 'listening');
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
