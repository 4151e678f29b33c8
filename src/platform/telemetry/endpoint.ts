import { once } from 'node:events';
import { Registry } from 'prom-client';

// An import would read the lazy exports of node:http, and so load the fetch client of Node.js.
const { createServer } = process.getBuiltinModule('node:http');

/** Serves the metrics to Prometheus on a port of its own, without a key. Clients of the service must not reach that port. */
export async function listenForScrapes(
  { host, port }: { host: string; port: number },
  readAll: () => Promise<string>,
): Promise<{ close: () => void }> {
  const server = createServer((request, response) => {
    const isScrape = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    const answer = (status: number, text = ''): void => {
      response.writeHead(status, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    };
    if (!isScrape) return answer(404);
    readAll().then(
      (text) => answer(200, text),
      () => answer(500),
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
