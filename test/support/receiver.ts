import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** The text of the body. */
  text: string;
  event: {
    id: string;
    type: string;
    sequence: number;
    data: { id: string } & Record<string, unknown>;
    object?: Record<string, unknown> | null;
  };
}

/** Answers a request; without it the receiver answers 204. */
type Reply = (request: Received, response: ServerResponse) => void;

/** A server on this machine that receives events. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The types of the received events, in order. */
  types: () => string[];
  /** Sets the function that answers from now on. */
  reply: (reply: Reply) => void;
  close: () => Promise<void>;
}

/** Starts a receiver, which ends after the test. */
export async function startReceiver(t: {
  after: (clean: () => Promise<void>) => void;
}): Promise<Receiver> {
  const received: Received[] = [];
  let answer: Reply = (_request, response) => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const got = { headers: request.headers, text: body, event: JSON.parse(body) };
      received.push(got);
      answer(got, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  async function close(): Promise<void> {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  t.after(close);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    types: () => received.map(({ event }) => event.type),
    reply: (reply) => (answer = reply),
    close,
  };
}

/** Answers each request with this status. */
export const answering =
  (status: number, body = '', headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);
