import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** The responses that are not sent yet, in the order of their requests. */
  inFlight: Set<ServerResponse>;
  /** The response to the latest request, sent or not. */
  latest?: ServerResponse;
}

export interface Connections {
  find: (socket: Socket) => Connection;
}

/**
 * Tracks the connections of a server and their responses. It also corrects `closeIdleConnections`: Node.js takes a
 * connection for idle as soon as its response is written, and would cut off a client that is still reading it.
 */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();

  server.on('connection', (socket) => {
    connections.set(socket, { inFlight: new Set() });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.latest = response;
    connection.inFlight.add(response);
    response.once('close', () => connection.inFlight.delete(response));
  });
  server.closeIdleConnections = () => {
    for (const [socket, { inFlight }] of connections)
      if (inFlight.size === 0 && socket.writableLength === 0) socket.destroy();
  };

  return { find: (socket) => connections.get(socket) ?? { inFlight: new Set() } };
}
